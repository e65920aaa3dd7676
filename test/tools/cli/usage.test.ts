import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandName } from '../../../lib/tools/cli/command-names.ts';
import { aboutGroups } from '../../../lib/tools/cli/program.ts';
import { readCatalogue } from '../../../lib/tools/cli/catalogue.ts';
import { contract } from '../../../lib/contract/contract.ts';
import { sample } from '../../support/samples.ts';
import { fakeService, json, returns, temporaryFolder } from './harness.ts';

const id = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';

describe('usage errors', () => {
  const wrong = [
    [['lst'], "unknown command 'lst'", 'list'],
    [['policies', 'lnt', 'x'], "unknown command 'lnt'", 'lint'],
    [['list', '--statsu', 'received'], "unknown option '--statsu'", '--status'],
    [['list', '--next-by', 'stuff'], '--next-by', 'staff'],
    [['call', 'getRetrun'], "unknown operation 'getRetrun'", 'getReturn'],
    [['call', 'getReturn', '--field', 'retrunId=x'], 'Unknown field retrunId', 'returnId'],
    [['approve'], "missing required argument 'return-id'", ''],
    [['approve', 'return-7'], 'an id such as ret_', ''],
    [['show', id, 'other'], 'too many arguments', ''],
    [['list', '--limit', 'ten'], 'whole number', ''],
    [['add-parcel', id, '--contents', '[{'], 'It must be JSON', ''],
    [['add-note', id], '--text', ''],
    [['update', id, '--tags', 'vip'], '--if-match', ''],
    [['approve', id, '--body', '/nonexistent/body.json'], 'ENOENT', ''],
    [['verify', 'export.ndjson'], 'roots.json', 'AnchorBucket'],
    [['inbox', 'redrive'], '--yes', ''],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish', ''],
  ] as const;
  it.each(sample(wrong, 3))('end with 2 and send nothing: %j', async (args, message, nearest) => {
    await using fake = await fakeService(() => json(200, {}));
    const { code, out, error } = await returns(args, { env: fake.env });
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toContain(nearest);
    expect(fake.service.connections() + fake.idp.server.connections()).toBe(0);
  });

  it('end with 2 and name npm start and the file of the profiles where no address is known', async () => {
    const { code, error } = await returns(['list'], { cwd: '/', env: { RETURNS_CONFIG: '/nonexistent/config.json' } });
    expect([code, error]).toEqual([2, expect.stringContaining('npm start')]);
    expect(error).toContain('/nonexistent/config.json');
    expect(error).toContain('--service-url');
  });

  it('name the place of the error in a malformed body', async () => {
    const { code, error } = await returns(['approve', id, '--body', '-'], { cwd: '/', input: '{\n  "note": x\n}' });
    expect([code, error]).toEqual([2, 'error: --body must be JSON. The error is at line 2, column 11.\n']);
  });
});

describe('help', () => {
  it('lists the commands, the options and the exit codes', async () => {
    const { code, out } = await returns(['--help']);
    expect(code).toBe(0);
    for (const word of [
      'approve',
      'policies',
      'inbox',
      'endpoints',
      'doctor',
      'verify',
      'export',
      '--profile',
      'Exit codes:',
    ])
      expect(out).toContain(word);
    expect(await returns([])).toMatchObject({ code: 2, out: '' });
  });

  it('has the description, the options and their values of an operation', async () => {
    const { code, out } = await returns(['list', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--next-by');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('"customer", "staff", "warehouse", "finance", "platform"');
  });

  it('has words of the field for every group', () => {
    const { offered } = readCatalogue();
    const groups = new Set(
      offered.map(({ operation }) => commandName(operation).group).filter((name) => name !== undefined),
    );
    expect([...groups].filter((name) => !Object.hasOwn(aboutGroups, name))).toEqual([]);
  });

  it('names options in place of the headers of HTTP', async () => {
    for (const args of [['policies', 'save-draft'], ['reasons', 'put'], ['update'], ['endpoints', 'replay']]) {
      const { code, out } = await returns([...args, '--help']);
      expect([args, code, out.match(/If-(None-)?Match|Idempotency-Key|ETag/g)]).toEqual([args, 0, null]);
    }
  });

  it('prints the version of the package', async () => {
    expect(await returns(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+(-rc\.\d+)?\n$/),
    });
  });
});

describe('commands of the contract', () => {
  const names = readCatalogue().offered.map(({ operation }) => ({ operation, ...commandName(operation) }));

  it('exist for every operation, each with its own name', () => {
    expect(names.map(({ operation }) => operation.name).toSorted()).toEqual(Object.keys(contract).toSorted());
    const paths = names.map(({ group, name }) => `${group ?? ''} ${name}`);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('have short names without the nouns of their group', () => {
    const of = (wanted: string) => {
      const found = names.find(({ operation }) => operation.name === wanted);
      return `${found?.group ?? ''} ${found?.name}`.trim();
    };
    expect(of('getReturn')).toBe('show');
    expect(of('recordRefundResult')).toBe('record-refund-result');
    expect(of('lintDraft')).toBe('policies lint');
    expect(of('listInboxDeliveries')).toBe('inbox list');
    expect(of('redeliverWebhook')).toBe('endpoints redeliver');
    expect(of('redeliverWebhooks')).toBe('endpoints replay');
    expect(commandName({ name: 'listDeadLetters', path: '/dead-letters' })).toEqual({
      group: 'dead-letters',
      name: 'list',
    });
    expect(commandName({ name: 'redriveDeadLetters', path: '/dead-letters/{queue}/redrives' })).toEqual({
      group: 'dead-letters',
      name: 'redrive',
    });
  });
});

describe('completion', () => {
  it('is a script that bash accepts, and completes commands, options and values', async () => {
    const { code, out } = await returns(['completion', 'bash']);
    expect(code).toBe(0);
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'completion.bash');
    await writeFile(file, out);
    await promisify(execFile)('bash', ['-n', file]);
    const complete = async (...words: readonly string[]) => {
      const script = `source ${file}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _returns; echo "\${COMPREPLY[@]}"`;
      return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split(' ');
    };
    expect(await complete('returns', 'poli')).toEqual(['policies']);
    expect(await complete('returns', 'policies', 'pub')).toEqual(['publish']);
    expect(await complete('returns', 'approve', '--dry')).toEqual(['--dry-run']);
    expect(await complete('returns', 'list', '--next-by', 'w')).toEqual(['warehouse']);
  });

  it.each(['zsh', 'fish'])('names every group for %s', async (shell) => {
    const { code, out } = await returns(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['policies', 'inbox', 'endpoints', '--dry-run']) expect(out).toContain(word);
  });
});

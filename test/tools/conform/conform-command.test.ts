import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inSoak } from '../../support/samples.ts';

const runIn = (cwd: string, ...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((done) => {
    const script = ['--conditions=client', resolve('lib/tools/conform/conform-command.ts'), ...args];
    execFile(process.execPath, script, { cwd }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const run = (...args: readonly string[]) => runIn('.', ...args);

const bol = ['--adapter', 'bol', '--auth', 'https://id.example.com'];

describe('npm run conform', () => {
  it('prints a row for each operation and ends with 0 for an adapter that conforms', async () => {
    const { code, stdout } = await run('--adapter', 'bol');

    expect(stdout).toMatch(/^operation +requests +answers +states +failures +repeat +recorded\n/);
    expect(stdout).toMatch(/\ninspect .* ok \(read first\) /);
    expect(stdout).toMatch(/\n\nbol conforms: 3 of 3 operations\.\n$/);
    expect(code).toBe(0);
  });

  it.each<[string, readonly string[], string]>([
    ['no adapter', [], '--adapter is missing.'],
    ...inSoak<[string, readonly string[], string]>(
      ['an unknown adapter', ['--adapter', 'bl'], 'unknown adapter "bl". Did you mean bol?'],
      ['commands without a service', ['--adapter', 'bol', '--commands'], '--commands needs --service.'],
      [
        'a service without a secret',
        [...bol, '--service', 'https://api.example.com'],
        '--service needs --auth and --secret.',
      ],
      [
        'a service without TLS',
        [...bol, '--service', 'http://api.example.com', '--secret', 'package.json'],
        '--service must begin with https://.',
      ],
      [
        'a secret that is no JSON object',
        [...bol, '--service', 'https://api.example.com', '--secret', 'README.md'],
        '--secret must name a file with a JSON object.',
      ],
    ),
  ])('ends with 2 for %s', async (_, args, message) => {
    const { code, stderr } = await run(...args);

    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      '2 for a parameter without an effect',
      { ServicePat: '/v1' },
      'ServicePat has no effect here. Did you mean ServicePath?',
    ],
    ...inSoak<[string, Readonly<Record<string, unknown>>, string]>(
      ['2 for a parameter that is no text', { ServicePath: 1 }, 'the parameter ServicePath must be text.'],
      ['1 for an invalid parameter', { ServiceHeaders: 'X-Company' }, 'The parameter ServiceHeaders must be '],
    ),
  ])('ends with %s', async (title, parameters, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'conform-'));
    try {
      const file = join(folder, 'parameters.json');
      await writeFile(file, JSON.stringify(parameters));
      const service = ['--service', 'https://api.example.com', '--secret', 'package.json', '--parameters', file];
      const { code, stderr } = await run(...bol, ...service);

      expect(stderr).toContain(message);
      expect(code).toBe(Number(title.charAt(0)));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each(inSoak('ends with 1 for a description that is none'))('%s', async () => {
    const { code, stderr } = await run('--adapter', 'bol', '--description', 'package.json');

    expect(stderr).toContain('package.json at #/swagger: version_unknown. Accepted: ');
    expect(code).toBe(1);
  });

  it('ends with 2 and the reason for an adapter with a place that is left', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'conform-'));
    try {
      await mkdir(join(folder, 'lib/adapters/acme'), { recursive: true });
      await writeFile(join(folder, 'lib/adapters/acme/adapter.ts'), "export const adapter = { states: todo('x') };");
      const { code, stderr } = await runIn(folder, '--adapter', 'acme');

      expect(stderr).toBe(
        'lib/adapters/acme does not run. See npm run types. todo is not defined\nSee npm run conform -- --help.\n',
      );
      expect(code).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

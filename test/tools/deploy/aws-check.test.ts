import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { startDeployedStage, type Defects } from './deployed-stage.ts';
import { compileCache } from '../../support/bundles.ts';
import { stack } from '../../support/stack.ts';

/** A stage of this test only. Its file is in the folder of the real stages. */
const stage = `check-${process.pid}`;
const file = `lib/tools/deploy/stages/${stage}.json`;
afterEach(() => rmSync(file, { force: true }));

/** Runs `npm run aws-check` without npm. */
const run = async (
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => undefined,
) => {
  const child = spawn(process.execPath, ['lib/tools/deploy/aws-check-command.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      NODE_COMPILE_CACHE: compileCache(),
      ...environment,
    },
  });
  onStart(child);
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => void child.once('close', resolve)),
  ]);
  return { code, errors, rows: output.trimEnd().split('\n'), output };
};

/** Checks a deployed stage, and returns the report and the calls of AWS. */
const check = async (mode: Mode, defects: Defects = {}, parameters: Readonly<Record<string, string>> = {}) => {
  writeFileSync(file, JSON.stringify({ mode, region: 'eu-central-1', parameters: {} }));
  await using deployed = await startDeployedStage({ mode, stage, stack: stack(), defects, parameters });
  const report = await run(deployed.environment, ['--stage', stage]);
  return { ...report, calls: deployed.calls };
};

describe('npm run aws-check', () => {
  it('passes for a standalone stage that AWS enforces, and deletes its role', async () => {
    const { code, rows, errors, calls } = await check('standalone');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(rows).toEqual([
      expect.stringMatching(
        /^pass {2}partitions in transactions {2}UpdateParcelRole writes RETURN#\*, .*TRACKING#\*, and .* is denied$/,
      ),
      expect.stringMatching(/^pass {2}tokens at the API +\d+ routes have the scopes of the contract/),
      expect.stringMatching(/^pass {2}event sources +7 event sources are enabled/),
      expect.stringMatching(/^pass {2}recursive loops +only runJob, deliverEvents may call/),
      expect.stringMatching(/^pass {2}signed uploads +S3 refuses another length, type and content/),
      'AWS keeps what the bundle relies on.',
    ]);
    expect(calls.slice(calls.indexOf('CreateRole'), calls.indexOf('DeleteRole') + 1)).toEqual([
      'CreateRole',
      'PutRolePolicy',
      'AssumeRole',
      'DeleteRolePolicy',
      'DeleteRole',
    ]);
  });

  it('passes for a connected stage, which signs no uploads', async () => {
    const { code, rows } = await check('connected');
    expect(rows).toContainEqual(expect.stringMatching(/^skipped {2}signed uploads {2,}the connected mode signs no/));
    expect(rows).toContainEqual(expect.stringMatching(/^pass {5}partitions in transactions {2}ReceiveWebhookRole/));
    expect(code).toBe(0);
  });

  it('passes for a stage with an adopted table, prefixed scopes and client certificates', async () => {
    const { code, rows } = await check(
      'standalone',
      {},
      { ExistingTable: 'restored', ScopePrefix: 'returns.example/', TruststoreUri: 's3://trust/ca.pem' },
    );
    expect(rows).toEqual([
      expect.stringMatching(
        /^pass {2}partitions in transactions {2}UpdateParcelRole writes RETURN#\*, .*TRACKING#\*, and .* is denied$/,
      ),
      expect.stringMatching(/^pass .* routes have the scopes of the contract; no call with .* because TruststoreUri /),
      expect.stringMatching(/^pass {2}event sources /),
      expect.stringMatching(/^pass {2}recursive loops /),
      expect.stringMatching(/^pass {2}signed uploads /),
      'AWS keeps what the bundle relies on.',
    ]);
    expect(code).toBe(0);
  });

  it('fails each check with its reason when AWS enforces less', async () => {
    const { code, rows, calls } = await check('standalone', {
      assumed: 'everywhere',
      scopes: ['returns:all'],
      filters: ['{"eventName":["INSERT"]}'],
      state: 'Disabled',
      recursiveLoop: 'Terminate',
      acceptsUploads: true,
    });
    expect(code).toBe(1);
    expect(rows).toEqual([
      expect.stringMatching(
        /^FAIL {2}partitions in transactions {2}a transaction with a partition outside .* gets a permission/,
      ),
      expect.stringMatching(/^FAIL .*approve asks for the scopes returns:all instead of returns:write/),
      expect.stringMatching(/^FAIL .*the event source of process is Disabled.*publishEvents has other filters/),
      expect.stringMatching(/^FAIL .*RecursiveLoop of runJob is Terminate instead of Allow/),
      expect.stringMatching(/^FAIL .*another length gets 200; another type gets 200; another content gets 200$/),
      '5 of 5 checks failed.',
    ]);
    expect(calls).toContain('DeleteRole');
  });

  it('passes where the function authorize verifies tokens: its routes list no scopes', async () => {
    const { rows } = await check('connected', {}, { TokenAuthorizer: 'function' });
    expect(rows).toContainEqual(
      expect.stringMatching(/^pass .*\d+ routes ask the function authorize; a token .* 401$/),
    );
  });

  it('fails for another audience and a route that is not in the contract', async () => {
    const { rows } = await check('connected', { audience: ['https://other.example'], extraRoute: 'GET /v1/debug' });
    expect(rows).toContainEqual(
      expect.stringMatching(
        /^FAIL {5}tokens at the API .*route GET \/v1\/debug is not in the contract; .* accepts the audiences https:\/\/other/,
      ),
    );
  });

  it.each([
    ['the creation of the role has no known result', { CreateRole: 500 }, 'iam CreateRole answers 500', true],
    ['AWS rejects the role', { CreateRole: 403 }, 'iam CreateRole answers 403', false],
    ['AWS rejects the policy of the role', { PutRolePolicy: 400 }, 'iam PutRolePolicy answers 400', true],
    [
      'AWS rejects the deletion',
      { DeleteRole: 403 },
      'one other partition is denied; the role returns-aws-check-',
      true,
    ],
  ])('fails and leaves no role without its name when %s', async (_, statuses, reason, deletes) => {
    const { code, rows, calls } = await check('standalone', { statuses });
    expect([code, rows[0]]).toEqual([1, expect.stringMatching(/^FAIL {2}partitions/)]);
    expect(rows[0]).toContain(reason);
    expect(calls.includes('DeleteRole')).toBe(deletes);
    expect(rows[0]?.includes('delete it by hand')).toBe('DeleteRole' in statuses);
  });

  it('deletes its role when Ctrl-C interrupts it, and runs no further check', async () => {
    writeFileSync(file, JSON.stringify({ mode: 'standalone', region: 'eu-central-1', parameters: {} }));
    let child: ChildProcess | undefined;
    await using deployed = await startDeployedStage({
      mode: 'standalone',
      stage,
      stack: stack(),
      onCall: (name) => void (name === 'CreateRole' && child?.kill('SIGINT')),
    });
    const { code, rows, errors } = await run(deployed.environment, ['--stage', stage], (started) => {
      child = started;
    });
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('ends after this check') });
    expect(rows).toEqual([expect.stringMatching(/^pass {2}partitions/), 'Interrupted after 1 of 5 checks.']);
    expect(deployed.calls.at(-1)).toBe('DeleteRole');
  });

  it('fails with the rejected call when AWS denies it, and prints no credentials', async () => {
    const { code, output } = await check('standalone', { isDenied: true });
    expect(code).toBe(1);
    expect(output).toContain('iam GetRolePolicy answers 403 AccessDenied');
    expect(output).toContain('apigateway /v2/apis/api1/routes answers 403 AccessDenied');
    expect(output).toContain('AccessDeniedException');
    expect(output).not.toContain('X-Amz-Signature');
  });

  it('names the file that may remain when S3 does not answer', async () => {
    writeFileSync(file, JSON.stringify({ mode: 'standalone', region: 'eu-central-1', parameters: {} }));
    await using deployed = await startDeployedStage({ mode: 'standalone', stage, stack: stack() });
    const silent = { ...deployed.environment, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' };
    const { code, rows } = await run(silent, ['--stage', stage]);
    expect([code, rows[4]]).toEqual([
      1,
      expect.stringMatching(
        /^FAIL {2}signed uploads .*gets no answer: TypeError: fetch failed \(.+\); the file pii\/aws-check-/,
      ),
    ]);
  });

  it('ends with 1 when the stack cannot be read', async () => {
    writeFileSync(file, JSON.stringify({ mode: 'standalone', region: 'eu-central-1', parameters: {} }));
    const silent = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    expect(await run(silent, ['--stage', stage])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The checks did not run: '),
    });
  });

  it.each([
    [[], '--stage is missing.'],
    [['--stage', 'nowhere'], 'lib/tools/deploy/stages/nowhere.json does not exist.'],
  ])('ends with 2 for %j', async (args, message) => {
    expect(await run({}, args)).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
  });
});

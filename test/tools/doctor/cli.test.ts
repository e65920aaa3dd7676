import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/tools/doctor/check.ts';
import { functionEnvironment } from '../../../lib/tools/local/emulators/function-spec.ts';
import { timerScaleVariable } from '../../support/lambda-runtime/clock.ts';
import { inSoak, sample } from '../../support/samples.ts';
import { stack, stackDataDir } from '../../support/stack.ts';
import { timeScale } from '../../support/slow-limits.ts';
import { row, withStatus } from './harness.ts';
import { compileCache } from '../../support/bundles.ts';

const slow = import.meta.resolve('../../support/slow-timers.ts');
const file = () => join(stackDataDir(), 'stack.json');

/** Runs the command to its end, without other environment variables of this process. */
const run = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}, cwd = '.') => {
  const child = spawn(process.execPath, ['--import', slow, resolve('lib/tools/doctor/cli.ts'), ...args], {
    cwd,
    // The processes share compiled code. Compilation is half of the cost of the command.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache(),
      [timerScaleVariable]: String(timeScale),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code: code as number | null, out, error };
};

describe('doctor command', () => {
  it('prints a row per check and ends with 0 when no check fails', async () => {
    const { code, out, error } = await run(['--stack', file()]);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^ok {7}SERVICE_URL {2,}http:\/\/127\.0\.0\.1:\d+$/m);
    expect(out).toMatch(/^ok {7}API read {2,}GET \/v1\/returns\?limit=1 answered 200 after \d+ ms$/m);
    // Other tests leave dead letters at the same time, which are warnings.
    expect(out).toMatch(/^(All checks passed|No check failed\. Review the warnings)\./m);
  });

  it('ends with 1 when a check fails, with the remedy below the row', async () => {
    const { code, out } = await run(['--stack', file(), '--auth-url', 'http://127.0.0.1:1']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAILED +token endpoint +TCP: the token endpoint accepts no connection \(ECONNREFUSED\)\n +→ Check /m,
    );
    expect(out).toMatch(/^skipped +API read/m);
  });

  it('reads the environment as the functions do, and prefers options', async () => {
    const { ServiceUrl = '', AuthUrl = '' } = stack().parameters.connected;
    const environment = {
      ...functionEnvironment(stack().aws),
      SERVICE_URL: ServiceUrl,
      AUTH_URL: AuthUrl,
      CLIENT_SECRET_ID: 'returns/none',
    };
    const { code, out } = await run(['--client-secret-id', 'returns/client', '--json'], environment);
    const report = JSON.parse(out) as Report;
    expect([code, report.status, withStatus(report, 'failed')]).toEqual([0, 'passed', []]);
    const failing = await run(['--json'], environment);
    expect(failing.code).toBe(1);
    expect(withStatus(JSON.parse(failing.out) as Report, 'failed')).toEqual(['secret']);
  });

  it.each(
    sample(
      [
        ['AWS_REGION', { AWS_REGION: '', AWS_DEFAULT_REGION: '' }],
        ['AWS credentials', { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }],
      ] as const,
      2,
    ),
  )('reports that there is no %s', async (words, without) => {
    const { ServiceUrl = '', AuthUrl = '' } = stack().parameters.connected;
    const settings = { SERVICE_URL: ServiceUrl, AUTH_URL: AuthUrl, CLIENT_SECRET_ID: 'returns/client' };
    const { out } = await run(['--json'], { ...functionEnvironment(stack().aws), ...settings, ...without });
    expect(row(JSON.parse(out) as Report, 'secret')).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining(words),
    });
  });

  it('reports the missing settings of an empty environment', async () => {
    const { code, out } = await run(['--json']);
    expect(code).toBe(1);
    expect(withStatus(JSON.parse(out) as Report, 'failed')).toEqual(['SERVICE_URL', 'AUTH_URL', 'CLIENT_SECRET_ID']);
  });

  it.each(
    sample(
      [
        ['an unknown option', ['--stak'], /Unknown option '--stak'[^]*npm run doctor/],
        ['an unexpected argument', ['now'], /Unexpected argument 'now'/],
        ['an option without its value', ['--auth-url'], /argument missing/],
        ['a missing stack file', ['--stack', '/nowhere/stack.json'], /\/nowhere\/stack\.json does not exist/],
      ] as const,
      4,
    ),
  )('ends with 2 on %s', async (_, args, words) => {
    const { code, out, error } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(words);
  });

  it.each(inSoak('reads the stack of the working directory when no file is named'))('%s', async () => {
    const { code, error } = await run(['--stack', '--json'], {}, stackDataDir());
    expect([code, error]).toEqual([2, '.local/stack.json does not exist. Start a local stack with npm start.\n']);
  });

  it('prints its usage with --help', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const option of ['client-secret-id', 'token-path', 'service-headers'])
      expect(out).toContain(`--${option} <text>`);
  });
});

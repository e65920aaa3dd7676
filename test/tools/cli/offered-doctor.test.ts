import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { readCatalogue } from '../../../lib/tools/cli/catalogue.ts';
import { openTerminal } from '../../../lib/tools/cli/output/terminal.ts';
import { parseArguments } from '../../../lib/tools/cli/program.ts';
import type { Respond } from '../../support/http-server.ts';
import { fakeService } from './harness.ts';

/** A service without a list of returns. */
const answer: Respond = ({ path }) =>
  path === '/v1/health'
    ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"status":"ok"}' }
    : { status: 404, headers: { 'content-type': 'application/json' }, body: '{"message":"no such path"}' };

/** Runs `returns doctor --json` of a client that has these operations. */
const doctorOf = async (names: readonly (keyof typeof contract)[]) => {
  await using access = await fakeService(answer);
  const entries = Object.fromEntries(names.map((name) => [name, contract[name]]));
  const stdout = new PassThrough();
  const terminal = openTerminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: access.env });
  const source = { catalogue: readCatalogue({ entries }), version: '1.0.0' };
  const { runner, options } = parseArguments(['doctor', '--json'], source, terminal);
  const { signal } = new AbortController();
  const code = await runner({ terminal, signal, options, json: true, env: access.env });
  stdout.end();
  const { checks } = JSON.parse(await text(stdout)) as {
    readonly checks: readonly { readonly check: string; readonly status: string; readonly detail: string }[];
  };
  return {
    code,
    read: checks.find(({ check }) => check === 'API read'),
    paths: access.service.requests.map(({ path }) => path),
  };
};

describe('doctor of a client package', () => {
  it('says that a service without a list of returns has none, and asks for none', async () => {
    const { code, read, paths } = await doctorOf(['health', 'getReturn']);
    expect(read).toMatchObject({
      status: 'skipped',
      detail: 'not applicable: the service offers no list of returns',
    });
    expect(code).toBe(0);
    expect(paths.every((path) => path === '/v1/health')).toBe(true);
  });

  it('fails for a service whose list of returns is missing', async () => {
    const { code, read } = await doctorOf(['health', 'listReturns']);
    expect(read).toMatchObject({ status: 'failed' });
    expect(code).toBe(1);
  });
});

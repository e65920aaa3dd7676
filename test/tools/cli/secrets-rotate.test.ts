import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';
import { onStack, returns, temporaryFolder } from './harness.ts';

/** The rotation would change the secret of other files, so the stack is its own. */
let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({});
});
afterAll(() => stack.close());

const client = 'returns-integration';
const env = () => onStack('connected', stack.dataDir);

const storedSecret = () =>
  (JSON.parse(stack.secrets.get('returns/client').secretString ?? '') as { readonly clientSecret: string })
    .clientSecret;

const askToken = async (secret: string): Promise<number> => {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: secret, scope: 'returns:read' };
  return (await fetch(stack.info.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })).status;
};

describe('returns secrets rotate --local', () => {
  it('moves a warm container to the new secret without a failed call', async () => {
    const former = storedSecret();
    const { code, out, error } = await returns(['secrets', 'rotate', '--local'], { env: env() });
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^minute {2}5 {2}the issuer has a second secret, and Secrets Manager a new version$/m);
    expect(out).toMatch(/^minute 1\d {2}the container reads the new version of the secret$/m);
    expect(out).toMatch(/^minute 23 {2}the issuer rejects the former secret from here$/m);
    expect(out).toMatch(/^minute [45]\d {2}the container gets a token with the new secret$/m);
    expect(out).toMatch(/^380 calls, 0 failures\. The container read the new version after \d+ minutes, and used it /m);
    expect(await Promise.all([askToken(former), askToken(storedSecret())])).toEqual([401, 200]);
    expect(out).not.toContain(storedSecret());
  });

  it('leaves the functions of the stack, its file and a second rehearsal with the new secret', async () => {
    const info = JSON.parse(await readFile(join(stack.dataDir, 'stack.json'), 'utf8')) as StackInfo;
    const known = info.clients.find(({ clientId }) => clientId === client);
    expect(known).toMatchObject({ clientSecret: storedSecret() });
    expect(known).not.toHaveProperty('formerSecret');
    expect(await returns(['list', '--limit', '1'], { env: env() })).toMatchObject({ code: 0 });
    const { code, out } = await returns(['secrets', 'rotate', '--local', '--json'], { env: env() });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { calls: 380, failures: 0, readAfterMinutes: expect.any(Number), usedAfterMinutes: expect.any(Number) },
    ]);
  });

  it.each([
    ['without --local', ['secrets', 'rotate'], 'add --local'],
    ['without a stack', ['secrets', 'rotate', '--local'], 'npm start'],
  ])('ends with 2 and changes nothing %s', async (_, args, message) => {
    const { code, error } = await returns(args, { env: { RETURNS_STACK: '/nonexistent/stack.json' } });
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('ends with 1 and one sentence where a part of the stack does not answer', async () => {
    await using folder = await temporaryFolder();
    const gone = { ...stack.info, issuer: 'http://127.0.0.1:9', aws: { ...stack.info.aws } };
    const file = join(folder.path, 'stack.json');
    await writeFile(file, JSON.stringify(gone), { mode: 0o600 });
    const before = storedSecret();
    const { code, error, out } = await returns(['secrets', 'rotate', '--local'], { env: { RETURNS_STACK: file } });
    expect([code, error]).toEqual([1, expect.stringContaining('npm start')]);
    expect(out).toContain('a call fails: dependency_unavailable');
    expect(storedSecret()).toBe(before);
    await rm(file);
  });
});

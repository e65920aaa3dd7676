import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startConsumer } from '../../access/client/consumer.ts';
import { inSoak } from '../../support/samples.ts';
import { onStack, returns as run } from '../../tools/cli/harness.ts';
import { openWorld } from './world.ts';

const { stack, root, create, front } = await openWorld();

const client = join(root, 'dist/adapters/devolucoes/client');
const returns = (...args: readonly string[]) =>
  run(args, { command: join(client, 'cli/returns.js'), env: onStack('connected', stack.dataDir) });

describe('command line of the adapter devolucoes', () => {
  it('reads a return by the id of the service, without a timeline', async () => {
    const id = await create();
    const { code, out } = await returns('show', id, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ returnId: id, status: 'requested' });
    expect(JSON.parse(out)).not.toHaveProperty('timeline');
  });

  it('sends a command', async () => {
    const { code, out } = await returns('approve', await create(), '--json');
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ status: 'approved' })]);
  });

  it('checks its access', async () => {
    const { code, out } = await returns('doctor');
    expect(out).toContain('API read');
    expect(code).toBe(0);
  });

  it.each([
    ['a command of a return', ['refund', '70001'], 'refund'],
    ['a command with options of its own', ['inspect', '70001', '--lines', '[]'], 'inspect'],
    ['a command of a group', ['policies', 'list'], 'listPolicies'],
    ['the help of a command', ['refund', '--help'], 'refund'],
    ['a call by name', ['call', 'getHistory', '--field', 'returnId=70001'], 'getHistory'],
  ])('ends with 2 for %s that is not offered, and sends nothing', async (_, args, name) => {
    const before = front.requests.length;
    const { code, out, error } = await returns(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toBe(
      `error: operation_not_offered: this service does not offer ${name}. It offers createReturn, getReturn, ` +
        'listReturns, addNote, approve, cancel, reject, receive, listReasons, health, openapi.\n',
    );
    expect(front.requests).toHaveLength(before);
  });

  it.each([['--help'], ['completion', 'bash']])(
    'has no word of an operation that is not offered in %s %s',
    async (...args) => {
      const { code, out } = await returns(...args);
      expect(code).toBe(0);
      expect(out).toContain('approve');
      expect(out).not.toMatch(/\b(refund|inspect|endpoints|inbox|dead-letters|quote|publish)\b/);
      expect(out).not.toMatch(/\bverify\b|--on-behalf-of/);
    },
  );

  it.each(['approve', 'call'])('has neither a rehearsal nor a version of a command: %s', async (command) => {
    const { out } = await returns(command, '--help');
    expect(out).not.toMatch(/--dry-run|--if-match/);
  });
});

describe.each(inSoak('typed client of the adapter devolucoes'))('%s', () => {
  it('has the offered operations, and declares no other', async () => {
    await using consumer = await startConsumer(client);
    const program = (operation: string) => `
import { createReturnsClient } from 'returns-client';
const [serviceUrl = '', authUrl = '', clientId = '', clientSecret = '', returnId = ''] = process.argv.slice(2);
const client = createReturnsClient({ serviceUrl, authUrl, credentials: { clientId, clientSecret } });
const found = await client.${operation}({ returnId });
console.log(JSON.stringify({ found, names: Object.keys(client).filter((name) => name !== 'items' && name !== 'close') }));
await client.close();
`;
    await consumer.write('offered.ts', program('getReturn'));
    await consumer.write('other.ts', program('getHistory'));
    expect(await consumer.compile(['offered.ts'], { types: ['node'] })).toBe('');
    expect(await consumer.compile(['other.ts'], { types: ['node'] })).toContain("Property 'getHistory' does not exist");
    const { connected, issuer, clients } = stack.info;
    const { clientId = '', clientSecret = '' } = clients.find((known) => known.clientId === 'returns-admin') ?? {};
    const id = await create();
    const printed = await consumer.run('offered.ts', connected.url, issuer, clientId, clientSecret, id);
    const { found, names } = JSON.parse(printed) as { readonly found: unknown; readonly names: readonly string[] };
    expect(found).toMatchObject({ ok: true, value: { status: 200, body: { returnId: id, status: 'requested' } } });
    expect(names.toSorted().join(' ')).toBe(
      'addNote approve cancel createReturn getReturn health listReasons listReturns openapi receive reject',
    );
  });
});

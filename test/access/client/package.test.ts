import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneMode, sample } from '../../support/samples.ts';
import { stack } from '../../support/stack.ts';
import { startConsumer, type Consumer } from './consumer.ts';

let consumer: Consumer;
beforeAll(async () => void (consumer = await startConsumer()));
afterAll(async () => consumer[Symbol.asyncDispose]());

/** Returns the text of each module of the package, by its file. */
const sources = async (): Promise<Map<string, string>> => {
  const files = (await readdir(consumer.own)).filter((file) => file.endsWith('.js'));
  return new Map(
    await Promise.all(
      files.map(async (file) => [file, await readFile(join(consumer.own, file), 'utf8')] satisfies [string, string]),
    ),
  );
};

/** A program that uses the client and prints the result in one line. It never closes the client. */
const program = `
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { createReturnsClient, type ClientOptions, type HistoryEntry, type Return } from 'returns-client';

const [serviceUrl = '', authUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
const options: ClientOptions = { serviceUrl, authUrl, credentials: { clientId, clientSecret } };
const heard = new Set<string>();
subscribe('returns-client', (message) => heard.add((message as { message: string }).message));

const client = createReturnsClient(options);
const order = { platform: 'web', orderId: randomUUID() };
const registered = await client.registerOrder({
  ...order,
  currency: 'EUR',
  observedAt: new Date().toISOString(),
  lines: [{ lineId: '1', sku: 'SHIRT-M', quantity: 2, unitPrice: { amount: 1999, currency: 'EUR' } }],
});
const created = await client.createReturn(
  { order, lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }] },
  { onBehalfOf: 'ada' },
);
if (!registered.ok || !created.ok) throw new Error(JSON.stringify({ registered, created }));
const { returnId }: Return = created.value.body;
const approved = await client.approve({ returnId }, { ifMatch: created.value.version });
const entries: HistoryEntry[] = [];
for await (const entry of client.items.getHistory({ returnId, limit: 1 })) {
  if (!entry.ok) throw new Error(entry.failure.code);
  entries.push(entry.value);
}
const again = await client.approve({ returnId });

const wrongClient = createReturnsClient({ ...options, credentials: { clientId, clientSecret: 'wrong' } });
const refused = await wrongClient.getReturn({ returnId });
await new Promise((resolve) => setImmediate(resolve));
console.log(JSON.stringify({
  created: [created.value.status, created.value.location, created.value.body.status],
  approved: approved.ok && [approved.value.version, approved.value.body.status],
  entries: entries.map(({ type, actor }) => [type, actor.onBehalfOf]),
  again: again.ok || [again.failure.code, again.failure.allowedActions?.length],
  refused: refused.ok || [refused.failure.code, refused.failure.reason, refused.failure.detail],
  heard: [...heard],
  open: process.getActiveResourcesInfo().filter((name) => /Socket|TCP|TLS|Timeout/.test(name)),
}));
`;

/** The compiler must reject each line after a comment. */
const mistakes = `
import { createReturnsClient, type ReturnsClient } from 'returns-client';
export const never = async (client: ReturnsClient, serviceUrl: string, authUrl: string, returnId: string) => {
  const order = { platform: 'web', orderId: '1' };
  const line = { orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } };
  // @ts-expect-error a field that there is not
  await client.createReturn({ order, lines: [{ ...line, quantitty: 1 }] });
  // @ts-expect-error a field that is missing
  await client.createReturn({ lines: [line] });
  // @ts-expect-error a field of another type
  await client.createReturn({ order, lines: [{ ...line, quantity: '1' }] });
  // @ts-expect-error a word that is none of the list
  await client.createReturn({ order, lines: [line], basis: 'mood' });
  // @ts-expect-error no input at all
  await client.getReturn();
  // @ts-expect-error a key where nothing is stored
  await client.getReturn({ returnId }, { idempotencyKey: 'k' });
  // @ts-expect-error a key that is no text
  await client.createReturn({ order, lines: [line] }, { idempotencyKey: 1 });
  // @ts-expect-error a version where there is none yet
  await client.createReturn({ order, lines: [line] }, { ifMatch: 1 });
  // @ts-expect-error a version as it travels
  await client.approve({ returnId }, { ifMatch: '"1"' });
  // @ts-expect-error trying out what changes nothing
  await client.getReturn({ returnId }, { dryRun: true });
  // @ts-expect-error an option that there is not
  await client.getReturn({ returnId }, { timeout: 1 });
  const answer = await client.getReturn({ returnId });
  // @ts-expect-error taken for granted
  answer.value.body;
  // @ts-expect-error a code that there is not
  if (!answer.ok && answer.failure.code === 'no_such_code') return;
  // @ts-expect-error a field that the answer has not
  if (answer.ok) answer.value.body.total;
  // @ts-expect-error an operation that there is not
  await client.removeReturn({ returnId });
  // @ts-expect-error a list that is none
  for await (const item of client.items.getReturn({ returnId })) return item;
  // @ts-expect-error credentials without the secret
  createReturnsClient({ serviceUrl, authUrl, credentials: { clientId: 'shop' } });
  // @ts-expect-error no token endpoint
  createReturnsClient({ serviceUrl, credentials: { secretId: 'returns/client' } });
};
`;

/** Only the language: no types of Node, no DOM. */
const bare = `
import { createReturnsClient, type Answer, type Result, type Return } from 'returns-client';
export const find = async (returnId: string, whom?: string): Promise<Result<Answer<Return>>> => {
  await using client = createReturnsClient({
    serviceUrl: 'https://returns.example.com',
    authUrl: 'https://id.example.com',
    credentials: { secretId: 'returns/client' },
  });
  return client.getReturn({ returnId }, { onBehalfOf: whom });
};
`;

describe('client package', () => {
  it('depends on exactly the versions that we use', async () => {
    const ours = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: Record<string, string> };
    expect(ours.dependencies).toMatchObject(consumer.dependencies);
    const imported = [...(await sources()).values()].flatMap((source) =>
      [...source.matchAll(/ from "([^".]+)"/g)].map(([, name = '']) => name),
    );
    const packages = new Set(imported.filter((name) => !name.startsWith('node:')));
    expect([...packages].toSorted()).toEqual(Object.keys(consumer.dependencies).toSorted());
  });

  it('reads no environment, and writes nothing', async () => {
    for (const source of (await sources()).values()) expect(source).not.toMatch(/process\.(env|stdout)|console\./);
  });

  it('loads the AWS SDK only where credentials are in Secrets Manager', async () => {
    const files = await sources();
    const lazy = /import\("\.\/([\w-]+\.js)"\)/.exec(files.get('client.js') ?? '')?.[1];
    const users = [...files].filter(([, source]) => source.includes('@aws-sdk/')).map(([file]) => file);
    expect(users).toEqual([lazy]);
  });

  it('names the required Node in its description and its README', async () => {
    const { engines } = JSON.parse(await readFile(join(consumer.own, 'package.json'), 'utf8')) as { engines: object };
    expect(engines).toEqual({ node: '>=22.19.0' });
    expect(await readFile(join(consumer.own, 'README.md'), 'utf8')).toContain('It needs Node 22.19.0 or later.');
  });

  it('has a command that starts in another project, and the licence of its parser', async () => {
    const { bin, version } = JSON.parse(await readFile(join(consumer.own, 'package.json'), 'utf8')) as {
      bin: { returns: string };
      version: string;
    };
    const command = await readFile(join(consumer.own, bin.returns), 'utf8');
    expect(command).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect((await transform(command, { target: 'node20', format: 'esm' })).warnings).toEqual([]);
    expect(await consumer.run(join(consumer.own, bin.returns), '--version')).toBe(`${version}\n`);
    expect(await readFile(join(consumer.own, 'cli/commander-LICENSE'), 'utf8')).toContain(
      'Permission is hereby granted',
    );
  });

  it.each([
    ['20.20.2', 'returns-client needs Node 22.19.0 or later; this is Node 20.20.2.\n'],
    ['22.18.0', 'returns-client needs Node 22.19.0 or later; this is Node 22.18.0.\n'],
    ['22.19.0', 'loaded\n'],
    ['23.0.0', 'loaded\n'],
    ['26.1.0', 'loaded\n'],
  ])('on Node %s says: %s', async (node, said) => {
    await consumer.write(
      'old.js',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });
      await import('returns-client').then(() => console.log('loaded'), (error) => console.log(error.message));`,
    );
    expect(await consumer.run('old.js')).toBe(said);
    // The code that an older Node parses before it reports its version.
    const entry = await readFile(join(consumer.own, 'index.js'), 'utf8');
    expect((await transform(entry, { target: 'node20', format: 'esm' })).warnings).toEqual([]);
    expect(entry).not.toMatch(/^import /m);
  });

  it('names the missing variable without AWS_REGION', async () => {
    await consumer.write(
      'region.js',
      `import { createReturnsClient } from 'returns-client';
      const client = createReturnsClient({
        serviceUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', credentials: { secretId: 'id' },
      });
      const { failure } = await client.getReturn({ returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' });
      console.log(failure.reason);
      await client.close();`,
    );
    expect(await consumer.run('region.js')).toBe('SecretUnavailable AWS_REGION is not set\n');
  });

  it('compiles strictly where it is used as in the guide', async () => {
    const guide = await readFile('lib/tools/guides/typed-client.md', 'utf8');
    const example = /```ts\n([^]*?)```/.exec(guide)?.[1] ?? '';
    expect(example).toContain("from 'returns-client'");
    await consumer.write('use.ts', program);
    await consumer.write('readme.ts', example);
    expect(await consumer.compile(['use.ts', 'readme.ts'], { types: ['node'] })).toBe('');
  });

  it('compiles without other types', async () => {
    await consumer.write('bare.ts', bare);
    const options = { types: [], lib: ['es2022'] };
    const exact = { ...options, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    for (const compilerOptions of sample([options, exact], 2, 1))
      expect(await consumer.compile(['bare.ts'], compilerOptions)).toBe('');
  });

  it('does not compile where it is used incorrectly', async () => {
    await consumer.write('wrong.ts', mistakes);
    expect(await consumer.compile(['wrong.ts'], { types: ['node'] })).toBe('');
  });

  it.each(oneMode('connected'))('works in another program, with the %s mode', async (mode) => {
    const { clients, issuer, [mode]: service } = stack();
    const partner = clients.find(({ clientId }) => clientId === 'returns-partner');
    const { clientId = '', clientSecret = '' } = partner ?? {};
    await consumer.write('use.ts', program);
    const said = await consumer.run('use.ts', service.url, issuer, clientId, clientSecret);
    const onBehalfOf = mode === 'connected' ? 'returns-partner/ada' : 'ada';
    expect(JSON.parse(said)).toEqual({
      created: [201, expect.stringMatching(/^\/v1\/returns\/ret_/), 'requested'],
      approved: [2, 'approved'],
      entries: [
        ['return.requested', onBehalfOf],
        ['return.approved', mode === 'connected' ? 'returns-partner' : null],
      ],
      again: ['invalid_transition', expect.any(Number)],
      refused: [
        'dependency_unavailable',
        'ClientRejected invalid_client',
        'The client id or the client secret is wrong: the token endpoint rejects them.',
      ],
      heard: expect.arrayContaining(['token served', 'token request ended', 'all client secrets rejected']),
      open: [],
    });
  });
});

describe('functions of the connected mode', () => {
  it('contain no code that only other programs need', async () => {
    const sources = await Promise.all(
      ['getReturn', 'process'].map((name) => readFile(`dist/connected/${name}/index.mjs`, 'utf8')),
    );
    for (const source of sources) {
      expect(source).toContain('/connect/token');
      expect(source).not.toContain('the client is closed');
      expect(source).not.toContain('returns-client');
    }
    expect(sources[0]).toContain('/returns/{returnId}');
    expect(sources[0]).not.toContain('/orders/{platform}/{orderId}');
  });
});

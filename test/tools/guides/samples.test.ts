import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { symlink } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsumer, type Consumer } from '../../access/client/consumer.ts';
import { api } from '../../support/api.ts';
import { registerOrder } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';

/** The TypeScript samples of README and guides, each as a file of its own. */
const samples = ['README.md', ...globSync('lib/tools/guides/{*,pt/*}.md')].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, text = ''], index) => ({
    page,
    file: `${page.replaceAll(/\W/g, '-')}-${index}.ts`,
    text,
  })),
);

describe('TypeScript samples of README and guides', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await startConsumer();
    await symlink(resolve('node_modules/standardwebhooks'), resolve(consumer.own, '../standardwebhooks'));
  });
  afterAll(async () => consumer[Symbol.asyncDispose]());

  it('compile strictly', async () => {
    expect(samples.length).toBeGreaterThan(5);
    for (const { file, text } of samples) await consumer.write(file, text);
    const files = samples.map(({ file }) => file);
    const options = { types: ['node'], lib: ['es2022', 'esnext.disposable'], skipLibCheck: true };
    expect(await consumer.compile(files, options)).toBe('');
  });

  it('create and approve a return on the stack', async () => {
    const { clients, issuer, standalone } = stack();
    const { clientId = '', clientSecret = '' } = clients.find((one) => one.clientId === 'returns-partner') ?? {};
    const { platform, orderId } = await registerOrder(api('standalone'));
    const sample = samples.find(({ text }) => text.includes('client.createReturn('));
    const program = (sample?.text ?? '')
      .replace(/serviceUrl: '[^']+'/, `serviceUrl: '${standalone.url}'`)
      .replace(/authUrl: '[^']+'/, `authUrl: '${issuer}'`)
      .replace(/credentials: \{[^}]*\},[^\n]*/, `credentials: ${JSON.stringify({ clientId, clientSecret })},`)
      .replace("platform: 'web', orderId: '1001'", `platform: '${platform}', orderId: '${orderId}'`)
      .replace("orderLineId: '1'", "orderLineId: '11'");
    expect(program).not.toContain('example.com');
    const file = `sample-${randomUUID()}.ts`;
    await consumer.write(file, program);
    expect((await consumer.run(file)).trim().split('\n')).toEqual(['return.requested', 'return.approved']);
  });
});

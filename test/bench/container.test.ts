import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../local/support.ts';
import type { Container, Subject } from './container.ts';
import { startRemote } from './remote.ts';

/** Starts a container with this function and these subjects of its events. */
const start = async (handler: string, subjects: readonly Subject[] = []) => {
  const file = join(await temporaryDirectory(), 'index.mjs');
  await writeFile(file, `let events = 0;\nexport const handler = ${handler};\n`);
  const container = startRemote<Container>('container.ts', { environment: {} });
  onTestFinished(async () => container[Symbol.asyncDispose]());
  await container.call('load', { file, subjects });
  return container;
};

describe('container', () => {
  it('measures every invocation of a round, each with an event of its own', async () => {
    const container = await start(`async ({ key }) => {
    globalThis.keys = (globalThis.keys ?? new Set()).add(key);
    return { statusCode: 200, body: String(keys.size) };
  }`);
    const event = '{"key":"key-{count}"}';
    const sample = await container.call('round', { event, invocations: 30 });
    expect(Object.keys(sample)).toEqual(['CPU us', 'thread us', 'p50 us', 'p99 us', 'RSS MB']);
    for (const value of Object.values(sample)) expect(value).toBeGreaterThan(0);
    // Thirty, the ten before them that do not count, and this one.
    expect(await container.call('invoke', event)).toMatchObject({ body: '41' });
  });

  it('uses up one subject for each event that names one', async () => {
    const container = await start(`async ({ id }) => ({ statusCode: 200, body: id })`, [{ id: '1' }, { id: '2' }]);
    const named = '{"id":"{subject.id}/{subject.id}"}';
    expect(await container.call('invoke', named)).toMatchObject({ body: '1/1' });
    expect(await container.call('invoke', named)).toMatchObject({ body: '2/2' });
    await expect(container.call('invoke', named)).rejects.toThrow('no subject is left');
  });

  it('ends the round when an invocation returns another status', async () => {
    const container = await start(`async () => ({ statusCode: (events += 1) === 20 ? 503 : 200, body: 'busy' })`);
    const round = container.call('round', { event: '{}', invocations: 30 });
    await expect(round).rejects.toThrow('container.ts, round: Error: answered 503: busy');
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../local/support.ts';
import type { Container, Subject } from './container.ts';
import { startRemote } from './remote.ts';

/** Starts a container with this function and these subjects of its events. */
const start = async (handler: string, subjects: readonly Subject[] = []) => {
  const file = join(await temporaryDirectory(), 'index.mjs');
  await writeFile(file, `let events = 0;\nexport const handler = ${handler};\n`);
  const container = startRemote<Container>('container.ts', { environment: { MARK: 'own' }, cpu: undefined });
  onTestFinished(async () => container[Symbol.asyncDispose]());
  await container.call('load', { file, subjects });
  return container;
};

describe('bench container', () => {
  test('measures every invocation of a round, each with an event of its own', async () => {
    const container = await start(`async ({ key }, context) => {
    globalThis.keys = (globalThis.keys ?? new Set()).add(key);
    return { statusCode: 200, body: JSON.stringify([keys.size, process.env.MARK, context.getRemainingTimeInMillis() > 0]) };
  }`);
    const event = '{"key":"key-{count}"}';
    const sample = await container.call('round', { event, invocations: 30, status: 200 });
    expect(Object.keys(sample)).toEqual(['CPU us', 'thread us', 'p50 us', 'p99 us', 'RSS MB']);
    for (const value of Object.values(sample)) expect(value).toBeGreaterThan(0);
    const { body } = await container.call('invoke', { event });
    // Thirty, the ten before them that do not count, and this one.
    expect(JSON.parse(body)).toEqual([41, 'own', true]);
  });

  test('uses up one subject for each event that names one', async () => {
    const subjects = [
      { id: 'first', line: '1' },
      { id: 'second', line: '2' },
    ];
    const container = await start(`async ({ id }) => ({ statusCode: 200, body: id })`, subjects);
    const invoke = async (id: string) => (await container.call('invoke', { event: JSON.stringify({ id }) })).body;
    const named = '{subject.id}/{subject.line}/{subject.id}';
    expect([await invoke(named), await invoke('none'), await invoke(named)]).toEqual([
      'first/1/first',
      'none',
      'second/2/second',
    ]);
    await expect(invoke(named)).rejects.toThrow('no subject is left');
  });

  test('ends the round when an invocation returns another status', async () => {
    const container = await start(`async () => ({ statusCode: (events += 1) === 20 ? 503 : 200, body: 'busy' })`);
    const round = container.call('round', { event: '{}', invocations: 30, status: 200 });
    await expect(round).rejects.toThrow('container.ts, round: Error: answered 503: busy');
  });

  test('reports a candidate that throws or ends its process', async () => {
    const throwing = await start(`async () => { throw new TypeError('broken'); }`);
    await expect(throwing.call('invoke', { event: '{}' })).rejects.toThrow('TypeError: broken');
    const ending = await start(`async () => process.exit(7)`);
    await expect(ending.call('invoke', { event: '{}' })).rejects.toThrow('container.ts, invoke: it ended with 7');
  });
});

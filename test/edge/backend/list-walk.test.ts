import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { seeded } from '../../support/seeded.ts';
import { startWorld } from '../../service/outbox/world.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { executeRequest, createSubject } from '../../support/life-of-backend.ts';
import { steps, type StepName, type Subject } from '../../support/life.ts';
import type { Query } from '../../support/listed/queries.ts';
import { walkList } from '../../support/listed/walk.ts';
import { inSoak, runs, sample } from '../../support/samples.ts';

const world = await startWorld();
afterAll(world.stop);

const create = async () => createSubject(backend);

/** Runs a command on a return, which may reject it. */
const change = async (subject: Subject, step: StepName): Promise<void> => {
  await executeRequest(backend, steps[step](subject, randomUUID()), backendCall()).catch(() => undefined);
};

/** Commands after which a return is still open, in whatever order they run. */
const staying = ['approve', 'requestInfo', 'provideInfo', 'addParcel', 'receive', 'inspect', 'addNote'] as const;
const ending = ['reject', 'cancel'] as const;

/** Starts writers that work until they are stopped. `next` resolves after their next write. */
const startWriters = (kept: readonly Subject[], closed: readonly Subject[], seed: number) => {
  const random = seeded(seed);
  const pick = <One>(some: readonly One[]): One | undefined => some[Math.floor(random() * some.length)];
  const stopped = new AbortController();
  const open = [...closed];
  let written = Promise.withResolvers<void>();
  const writer = async (write: () => Promise<unknown>) => {
    while (!stopped.signal.aborted) {
      await write();
      written.resolve();
      written = Promise.withResolvers<void>();
    }
  };
  const changeAny = async () => {
    const subject = pick(kept);
    if (subject !== undefined) await change(subject, pick(staying) ?? 'addNote');
  };
  const endOne = async () => {
    const subject = open.pop();
    await (subject === undefined ? changeAny() : change(subject, pick(ending) ?? 'reject'));
  };
  const running = Promise.all([writer(create), writer(changeAny), writer(changeAny), writer(endOne)]);
  return {
    next: async () => written.promise,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
};

const created = await Promise.all(Array.from({ length: 30 }, create));
const idsOf = (returns: readonly Subject[]) => returns.map(({ returnId }) => returnId).toSorted();

/** Walks a list while writers work. Returns the shown ids, in order, and the returns that were closed. */
const walkAmongWriters = async (query: Query, seed: number) => {
  const closed = await Promise.all(Array.from({ length: 6 }, create));
  const writers = startWriters(created, closed, seed);
  const items = await walkList(query, [9, 5, 12], writers.next);
  await writers.stop();
  return { ids: items.map(({ returnId }) => returnId), closed };
};

describe.each(sample([1, 4], 2, 1))(
  'a list of %i partitions that is read while writers create and change returns',
  (partitions) => {
    it.each<readonly [name: string, query: Query, isOpen: boolean]>([
      ['each return', {}, false],
      ['each return that stays open', { open: true }, true],
      ...inSoak('each return that stays open and belongs to a platform').map(
        (name) => [name, { open: true, platform: 'web' }, true] as const,
      ),
    ])('shows %s exactly once', async (_, query, isOpen) => {
      setEnvironment({ LIST_PARTITIONS: String(partitions) });
      for (let round = 0; round < runs(4); round += 1) {
        const { ids, closed } = await walkAmongWriters(query, round);
        expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
        expect(ids).toEqual(expect.arrayContaining(idsOf(isOpen ? created : [...created, ...closed])));
      }
    });
  },
);

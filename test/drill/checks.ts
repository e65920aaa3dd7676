import { isDeepStrictEqual } from 'node:util';
import { contributionOf } from '../../lib/service/statistics/contribution.ts';
import { plus, stepsFor } from '../../lib/service/statistics/steps.ts';
import { eventId } from '../../lib/domain/events/cloud-event.ts';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { returnKey } from '../../lib/store/engine/keys.ts';
import type { Figures } from '../../lib/store/statistics/counters.ts';
import { api } from '../support/api.ts';
import type { Item, Stored } from '../support/audit/stored.ts';

/* What must hold in a restored deployment. Each check returns its differences, as sentences. */

/** An event by its subject and sequence, with its id. */
type Named = { readonly subject: string; readonly sequence: string; readonly id: string };

const nameOf = ({ subject, sequence }: Named): string => `${subject}/${sequence}`;

/** Returns the events of returns that the stack put on its bus. */
export const published = (events: readonly StackEvent[]): readonly Named[] =>
  events
    .flatMap((event) => (event.type === 'published' ? [event.event.detail as unknown as Named] : []))
    .filter(({ subject }) => subject.startsWith('ret_'));

/** Returns the events that the histories of the table hold. */
export const storedEvents = ({ returns }: Stored): readonly Named[] =>
  [...returns.values()].flatMap(({ id, entries }) =>
    entries.map((entry) => ({
      subject: id,
      sequence: String(entry.sequence).padStart(10, '0'),
      id: eventId(returnKey(id).pk, entry),
    })),
  );

export type SentEvents = {
  /** What consumers had at the moment of the copy. */
  readonly atCopy: readonly Named[];
  /** What the first deployment sent in all. */
  readonly before: readonly Named[];
  /** What the restored deployment sent. */
  readonly after: readonly Named[];
};

/**
 * Finds events of the restored table that consumers never get, or get under a second id. What the first deployment sent
 * after the copy does not count: a deployment that is damaged may send nothing.
 */
export const eventDifferences = (
  stored: readonly Named[],
  { atCopy, before, after }: SentEvents,
): readonly string[] => {
  const ids = new Map(stored.map((event) => [nameOf(event), event.id]));
  const sent = new Set([...atCopy, ...after].map(({ id }) => id));
  return [
    ...stored.filter(({ id }) => !sent.has(id)).map((event) => `${nameOf(event)}: no event was sent`),
    ...[...before, ...after].flatMap((event) => {
      const id = ids.get(nameOf(event));
      // The restored table has no event of the commands after the copy.
      return id === undefined || id === event.id ? [] : [`${nameOf(event)}: sent as ${event.id}, stored as ${id}`];
    }),
    ...after.filter((event) => !ids.has(nameOf(event))).map((event) => `${nameOf(event)}: sent, and not stored`),
  ];
};

/** Reads all events of the API, and finds those that it leaves out or shows twice. */
export const listDifferences = async (info: StackInfo, stored: readonly Named[]): Promise<readonly string[]> => {
  const service = api('standalone', info);
  const shown = new Map<string, number>();
  let cursor = '';
  for (;;) {
    const { body } = await service.get(`/events?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const { items, nextCursor } = body as unknown as { items: readonly Named[]; nextCursor: string };
    for (const { id } of items) shown.set(id, (shown.get(id) ?? 0) + 1);
    if (nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return stored
    .filter(({ id }) => shown.get(id) !== 1)
    .map((event) => `${nameOf(event)}: shown ${shown.get(event.id) ?? 0} times in the list of events`);
};

/** Finds histories whose chain or codes are broken. The service verifies them with its keys. */
export const chainDifferences = async (info: StackInfo, { returns }: Stored): Promise<readonly string[]> => {
  const service = api('standalone', info);
  const differences: string[] = [];
  for (const [id, { entries }] of returns) {
    const { body } = await service.get(`/returns/${id}/history/verification`);
    const { valid, entries: count } = body as unknown as { valid?: boolean; entries?: number };
    if (valid !== true || count !== entries.length) differences.push(`${id}: ${JSON.stringify(body)}`);
  }
  return differences;
};

/** Finds counters that differ from the sum over all returns. */
export const counterDifferences = (items: readonly Item[], { returns }: Stored): readonly string[] => {
  const counters = new Map<string, Figures>();
  const add = (name: string, figures: Figures, times: 1 | -1) =>
    counters.set(name, plus(counters.get(name) ?? {}, figures, times));
  for (const { pk, sk, ...figures } of items) {
    const [kind, dimension = '', shard] = pk.split('#');
    if (kind === 'STATS' && shard !== undefined) add(`${dimension}#${sk}`, figures as Figures, 1);
  }
  for (const { id, snapshot } of returns.values()) {
    if (snapshot === undefined) continue;
    const { state } = snapshot;
    const change = { returnId: id, counted: undefined, version: state.version, parts: contributionOf(state) };
    for (const { moves } of stepsFor([change]))
      for (const { counter, figures } of moves)
        add(`${counter.dimension}#${counter.period.grain}#${counter.period.of}#${counter.value}`, figures, -1);
  }
  return [...counters]
    .filter(([, difference]) => !isDeepStrictEqual(difference, {}))
    .map(([name, difference]) => `${name}: the counters differ from the returns by ${JSON.stringify(difference)}`);
};

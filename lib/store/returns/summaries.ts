import type { Summary } from '../../returns/summary.ts';
import { batchGet } from '../engine/batch-get.ts';
import type { Lookup } from '../engine/indexes.ts';
import { returnKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { walkOn, type Bounds, type Placed } from '../engine/walk.ts';

/** A summary, and its place in the walk that found it. */
export type Found = { readonly position: string; readonly summary: Summary };

/** Summaries by their positions, the highest first; `rest` tells that there are lower ones, behind `last`. */
export type SummaryPage = { readonly items: readonly Found[]; readonly rest: boolean; readonly last?: string };

/** What an index tells of a return: its summary, where it holds it. */
type Row = { readonly position: string; readonly id: string; readonly summary?: Summary };

const rowOf = ({ position, item }: Placed): Row => {
  const { summary } = item as { summary?: string | Uint8Array };
  const id = position.slice(position.indexOf('ret_'));
  return { position, id, ...(summary === undefined ? {} : { summary: unpack(summary) as Summary }) };
};

/** The summaries that stand in snapshots; what is gone since its key was read is left out. */
const readSnapshots = async (session: Session, rows: readonly Row[]): Promise<Found[]> => {
  const keys = rows.map(({ id }) => returnKey(id));
  const read = (await batchGet(session, keys, ['id', 'summary'])) as { id: string; summary: string | Uint8Array }[];
  const summaries = new Map(read.map(({ id, summary }) => [id, unpack(summary) as Summary]));
  return rows.flatMap(({ position, id }) => {
    const summary = summaries.get(id);
    return summary === undefined ? [] : [{ position, summary }];
  });
};

/**
 * A page of summaries. Eventually consistent, as indexes are. It may be short, because one answer of the engine ends
 * at 1 MiB.
 *
 * @param limit how many to read of each partition at most, and in all where the index holds keys only
 */
export const readSummaries = async (
  session: Session,
  lookup: Lookup,
  bounds: Bounds,
  limit: number,
): Promise<SummaryPage> => {
  const stretch = await walkOn(session, lookup, bounds, limit);
  const rows = stretch.items.map(rowOf);
  const looked = lookup.holds === 'keys' ? rows.slice(0, limit) : rows;
  const last = looked.at(-1)?.position;
  const rest = stretch.rest || looked.length < rows.length;
  const items =
    lookup.holds === 'keys'
      ? await readSnapshots(session, looked)
      : looked.flatMap(({ position, summary }) => (summary === undefined ? [] : [{ position, summary }]));
  return { items, rest, ...(last === undefined ? {} : { last }) };
};

import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { fitting } from '../../store/pack.ts';
import { readEntries } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { cursorScope, openCursor, signCursor } from './cursor.ts';
import { withStore } from './execute.ts';
import { returnNotFound } from './failures.ts';

const usualLimit = 50;

/** Reads a page of a return's history, oldest entry first. */
export const getHistory = async (
  input: Input<'getHistory'>,
  call: Call,
): Promise<Result<Reply<Output<'getHistory'>>>> =>
  withStore(call, async (session) => {
    const { returnId, limit = usualLimit, cursor } = input;
    const scope = cursorScope('getHistory', call, { returnId });
    const position = cursor === undefined ? ok('0') : await openCursor(cursor, scope);
    if (!position.ok) return position;
    const after = Number(position.value);
    // One more than asked for tells whether there is a next page.
    const entries = await readEntries(session, returnId, after, limit + 1);
    if (entries.length === 0 && after === 0) return fail(returnNotFound);
    const items = fitting(entries.slice(0, limit));
    const last = items.at(-1);
    const next =
      entries.length > items.length && last !== undefined ? await signCursor(String(last.sequence), scope) : ok(null);
    if (!next.ok) return next;
    return ok({ status: 200, body: structuredClone({ items, nextCursor: next.value }) });
  });

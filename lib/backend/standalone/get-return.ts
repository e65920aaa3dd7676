import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { fold } from '../../returns/fold.ts';
import type { Return } from '../../returns/return.ts';
import { linksTo } from '../../store/evidence.ts';
import { readPerson, readTexts } from '../../store/personal.ts';
import { readEntries, readReturn } from '../../store/returns.ts';
import type { Session } from '../../store/session.ts';
import type { Call, Reply } from '../port.ts';
import { withStore } from './execute.ts';
import { returnNotFound } from './failures.ts';
import { returnView } from './views.ts';

const pageSize = 200;

/** The return as its history made it by that time, or undefined when it was not there yet. */
const readAsOf = async (session: Session, returnId: string, asOf: string): Promise<Return | undefined> => {
  const latest = Date.parse(asOf);
  let state: Return | undefined;
  for (;;) {
    const entries = await readEntries(session, returnId, state?.version ?? 0, pageSize);
    for (const entry of entries) {
      if (Date.parse(entry.at) > latest) return state;
      state = fold(state, entry);
    }
    if (entries.length < pageSize) return state;
  }
};

/**
 * Reads a return with its customer, notes and links to evidence, as far as they are not erased. As it was at an earlier time it is for
 * reading only: it has neither a version to hold on to nor anything that may be done.
 */
export const getReturn = async (input: Input<'getReturn'>, call: Call): Promise<Result<Reply<Output<'getReturn'>>>> =>
  withStore(call, async (session) => {
    const { returnId, asOf } = input;
    const state = asOf === undefined ? await readReturn(session, returnId) : await readAsOf(session, returnId, asOf);
    if (state === undefined) return fail(returnNotFound);
    const [known, texts, links] = await Promise.all([
      readPerson(session, state.subject),
      readTexts(session, state.subject, state.id),
      linksTo(state, Date.now()),
    ]);
    const body = returnView(state, { person: known?.person, texts, links });
    if (asOf === undefined) return ok({ status: 200, body, version: state.version });
    const { allowedActions: _, ...then } = body;
    return ok({ status: 200, body: then });
  });

import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { linksTo } from '../../store/evidence.ts';
import { readPerson, readTexts } from '../../store/personal.ts';
import { readReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { withStore } from './execute.ts';
import { returnNotFound } from './failures.ts';
import { readWhile } from './past.ts';
import { returnView } from './views.ts';

/**
 * Reads a return with its customer, notes and links to evidence, and marks where those are erased. As of an earlier time it
 * is for reading only, without an ETag and without allowed actions.
 */
export const getReturn = async (input: Input<'getReturn'>, call: Call): Promise<Result<Reply<Output<'getReturn'>>>> =>
  withStore(call, async (session) => {
    const { returnId, asOf } = input;
    const latest = asOf === undefined ? undefined : Date.parse(asOf);
    const state =
      latest === undefined
        ? await readReturn(session, returnId)
        : await readWhile(session, returnId, ({ at }) => Date.parse(at) <= latest);
    if (state === undefined) return fail(returnNotFound);
    const [person, texts, links] = await Promise.all([
      readPerson(session, state.subject),
      readTexts(session, state.subject, state.id),
      linksTo(state, Date.now()),
    ]);
    const personal = { person, texts, links };
    const body = returnView(state, { at: new Date().toISOString(), personal });
    if (asOf === undefined) return ok({ status: 200, body, version: state.version });
    const { allowedActions: _, ...then } = body;
    return ok({ status: 200, body: then });
  });

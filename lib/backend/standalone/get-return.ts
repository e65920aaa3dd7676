import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { readPerson, readTexts } from '../../store/personal.ts';
import { readReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { withStore } from './execute.ts';
import { returnNotFound } from './failures.ts';
import { returnView } from './views.ts';

/** Reads a return with its customer and notes, as far as they are not erased. */
export const getReturn = async (input: Input<'getReturn'>, call: Call): Promise<Result<Reply<Output<'getReturn'>>>> =>
  withStore(call, async (session) => {
    const state = await readReturn(session, input.returnId);
    if (state === undefined) return fail(returnNotFound);
    const [known, texts] = await Promise.all([
      readPerson(session, state.subject),
      readTexts(session, state.subject, state.id),
    ]);
    return ok({ status: 200, body: returnView(state, { person: known?.person, texts }), version: state.version });
  });

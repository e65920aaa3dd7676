import type { Input } from '../../../contract/contract.ts';
import { historyActor } from '../../execution/event-metadata.ts';
import { commandOnReturn } from '../../execution/command.ts';
import { referenceNote, createTextReference } from '../../../store/personal/text-references.ts';
import {
  cancel as decideCancellation,
  complete as decideCompletion,
  expire as decideExpiry,
} from '../../../domain/returns/commands/endings.ts';
import {
  type Approve,
  approve as decideApproval,
  reject as decideRejection,
  provideInfo as decideAnswer,
  requestInfo as decideInformationRequest,
} from '../../../domain/returns/commands/request/review-request.ts';
import { reopen as decideReopening, isAwaitingDecision } from '../../../domain/returns/commands/request/reopen.ts';
import { addNote as decideNote } from '../../../domain/returns/commands/annotations.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { SaltedText } from '../../../store/personal/personal.ts';
import { readDecision, writeDecision } from '../../../store/policies/decisions.ts';
import { reEvaluate } from '../decisions/re-evaluate.ts';

/*
 * The commands that decide on a return and end it. Each constant is one operation; a bundle holds only the one it
 * serves.
 */

/** Replaces the reasons of overrides by their references. */
const overridesWithTextRefs = ({ lines }: Input<'approve'>): { wanted: Approve; texts: readonly SaltedText[] } => {
  if (lines === undefined) return { wanted: {}, texts: [] };
  const texts: SaltedText[] = [];
  const sealed = lines.map(({ override, ...line }) => {
    if (override === undefined) return line;
    const reason = createTextReference(`override/${newUlid()}`, override.reason);
    texts.push(reason.text);
    return { ...line, override: { reason: reason.seal } };
  });
  return { wanted: { lines: sealed }, texts };
};

export const approve = /* @__PURE__ */ commandOnReturn('approve', (input) => {
  const { wanted, texts } = overridesWithTextRefs(input);
  return { decide: (situation) => decideApproval(situation, wanted), texts };
});

export const reject = /* @__PURE__ */ commandOnReturn('reject', ({ code, note }) => {
  // The id is unique, because a return may be reopened and rejected again.
  const { carrier: rejection, texts } = referenceNote({ code }, `rejection/${newUlid()}`, note);
  return { decide: (situation) => decideRejection(situation, rejection), texts };
});

export const requestInfo = /* @__PURE__ */ commandOnReturn('requestInfo', ({ message }) => {
  const id = `note_${newUlid()}`;
  const { seal, text } = createTextReference(id, message);
  return { decide: (situation) => decideInformationRequest(situation, { id, text: seal }), texts: [text] };
});

export const provideInfo = /* @__PURE__ */ commandOnReturn('provideInfo', ({ message, evidence }) => {
  const id = `note_${newUlid()}`;
  const sealed = message === undefined ? undefined : createTextReference(id, message);
  const answer = {
    id,
    ...(sealed === undefined ? {} : { text: sealed.seal }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  return {
    decide: (situation) => decideAnswer(situation, answer),
    texts: sealed === undefined ? [] : [sealed.text],
  };
});

export const complete = /* @__PURE__ */ commandOnReturn('complete', ({ waive }) => {
  if (waive === undefined) return { decide: (situation) => decideCompletion(situation, {}) };
  const { seal, text } = createTextReference(`waiver/${newUlid()}`, waive.reason);
  return { decide: (situation) => decideCompletion(situation, { waiver: { reason: seal } }), texts: [text] };
});

export const cancel = /* @__PURE__ */ commandOnReturn('cancel', ({ code, note, lines }) => {
  // The id is unique, because a return may be cancelled in parts, each with its own text.
  const { carrier, texts } = referenceNote(code === undefined ? {} : { code }, `cancellation/${newUlid()}`, note);
  const wanted = { cancellation: carrier, ...(lines === undefined ? {} : { lines }) };
  return { decide: (situation) => decideCancellation(situation, wanted), texts };
});

export const expire = /* @__PURE__ */ commandOnReturn('expire', () => ({ decide: decideExpiry }));

/** Reopens a return. One that was never approved gets a new policy decision, if a policy applies to its order. */
export const reopen = /* @__PURE__ */ commandOnReturn('reopen', ({ reason }, call) => {
  const { seal, text } = createTextReference(`reopening/${newUlid()}`, reason);
  const reopening = { reason: seal };
  return {
    decide: async (situation, session) => {
      const { state } = situation;
      const undecided = decideReopening(situation, reopening);
      if (!undecided.ok || !isAwaitingDecision(state)) return undecided;
      const earlier = state.decision?.decisionId;
      const before = earlier === undefined ? undefined : await readDecision(session, earlier);
      const renewal = await reEvaluate(session, situation, before, call.traceId);
      if (renewal === undefined) return undecided;
      const { renewed, decision } = renewal;
      const reopened = decideReopening(situation, reopening, renewed);
      if (!reopened.ok) return reopened;
      const { policyVersion } = renewed.judgement;
      return {
        ok: true,
        value: { ...reopened.value, policyDecision: { policyVersion, writes: [writeDecision(decision)] } },
      };
    },
    texts: [text],
  };
});

export const addNote = /* @__PURE__ */ commandOnReturn('addNote', (input, call) => {
  const { visibility = 'internal' } = input;
  const id = `note_${newUlid()}`;
  const { seal, text } = createTextReference(id, input.text);
  return {
    decide: (situation) => {
      const actor = historyActor(call, situation.state.actorKey);
      return decideNote(situation, { id, actor, visibility, note: seal });
    },
    texts: [text],
  };
});

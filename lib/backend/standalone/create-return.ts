import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { basePath } from '../../contract/operation.ts';
import { termsConfig } from '../../config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { termsOf } from '../../policies/statutory-floor.ts';
import { createReturn as decide, type CreateReturn, type NewIds } from '../../returns/commands/create-return.ts';
import { append } from '../../returns/history/history.ts';
import { rmaNumber } from '../../returns/rma-number.ts';
import { reasonsOf, type Reasons } from '../../returns/rules/reasons.ts';
import { readOrder, writeLedger, type OrderRecord } from '../../store/orders.ts';
import { writeTexts, type SaltedText } from '../../store/personal.ts';
import { readReasons } from '../../store/reasons.ts';
import { findByExternalRefs, writeMarkers, writeReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { executeShowing, showing } from './answer.ts';
import { circumstances } from './circumstances.ts';
import type { Plan } from './execute.ts';
import { duplicateReturn, orderNotFound } from './failures.ts';
import { factOf } from './fact.ts';
import { sealText } from './seal-text.ts';
import { subjectOf } from './subject.ts';

const { terms: defaults, statutoryRules } = termsConfig();

/** Replaces the notes of the input by their digests; the texts themselves go beside the return. */
const seal = (input: Omit<Input<'createReturn'>, 'observed'>, lineIds: readonly string[]) => {
  const texts: SaltedText[] = [];
  const lines = input.lines.map(({ reason: { note, ...reason }, ...line }, index) => {
    if (note === undefined) return { ...line, reason };
    const sealed = sealText(lineIds[index] ?? '', note);
    texts.push(sealed.text);
    return { ...line, reason: { ...reason, note: sealed.seal } };
  });
  return { command: { ...input, lines } satisfies CreateReturn, texts };
};

const newIds = (lines: number, subject: string): NewIds => ({
  id: `ret_${ulid()}`,
  rmaNumber: rmaNumber(randomBytes(8).readBigUInt64BE()),
  lineIds: Array.from({ length: lines }, () => `rln_${ulid()}`),
  subject,
});

const plan = (
  input: Input<'createReturn'>,
  call: Call,
  { order, ledger, ledgerVersion }: OrderRecord,
  reasons: Reasons,
): Result<Plan<Output<'createReturn'>>> => {
  const ids = newIds(input.lines.length, subjectOf(order));
  const { observed: told, ...request } = input;
  const { command, texts } = seal(request, ids.lineIds);
  const made = circumstances(call, defaults.policyVersion);
  const fact = factOf(told, input.managedBy, made.at);
  if (!fact.ok) return fact;
  const status = told?.status === undefined ? {} : { status: told.status };
  const terms = termsOf(statutoryRules, defaults, order, command, made.at);
  const decision = decide(
    { order, ledger, now: made.at, reasons, ...fact.value },
    { ...command, ...status },
    terms,
    ids,
  );
  if (!decision.ok) return fail(decision.failure);
  const { state, entries } = append(undefined, decision.value.events, made);
  return ok({
    ...showing(state, made.at, { status: 201, location: `${basePath}/returns/${state.id}` }),
    writes: [
      ...writeReturn(state, entries, undefined),
      writeLedger(order, decision.value.ledger, ledgerVersion),
      ...writeMarkers(state),
      ...writeTexts(state, texts),
    ],
  });
};

/** Creates a return of a registered order. Of two that ask for the same last unit at once, exactly one gets it. */
export const createReturn = async (
  input: Input<'createReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'createReturn'>>>> =>
  executeShowing('createReturn', input, call, async (session) => {
    const [record, duplicate, { changed }] = await Promise.all([
      readOrder(session, input.order),
      findByExternalRefs(session, input.externalRefs ?? []),
      readReasons(session),
    ]);
    if (duplicate !== undefined) return fail(duplicateReturn(duplicate));
    if (record === undefined) return fail(orderNotFound('/order'));
    return plan(input, call, record, reasonsOf(changed));
  });

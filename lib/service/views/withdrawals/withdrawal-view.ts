import type { Output } from '../../../contract/contract.ts';
import { markerRef, receiptRef } from '../../../store/personal/personal.ts';
import type { WithdrawalSummary } from '../../../store/withdrawals/withdrawal-list.ts';
import {
  actBy,
  declaredVersion,
  receiptStatusOf,
  refundStatusOf,
  type Withdrawal,
} from '../../../domain/withdrawals/model/withdrawal.ts';
import type { DeclaredContent, ReceiptParts } from '../../../domain/withdrawals/receipt/receipt.ts';

type View = Output<'getWithdrawal'>;
type Texts = ReadonlyMap<string, string>;

const headOf = ({ id: withdrawalId, status, declaredAt, platform, language }: WithdrawalSummary | Withdrawal) => ({
  withdrawalId,
  status,
  declaredAt,
  ...(platform !== undefined && { platform }),
  language,
});

/** Returns the answer without its note, which is a personal text. */
const answerOf = ({ answer, law, rule, source, at }: NonNullable<Withdrawal['answer']>) => ({
  answer,
  ...(law !== undefined && { law }),
  rule,
  source,
  at,
});

const matchOf = ({ order, lines, denied, undecided, at }: NonNullable<Withdrawal['match']>) => ({
  order,
  ...(lines !== undefined && { lines: [...lines] }),
  ...(denied !== undefined && { denied: [...denied] }),
  ...(undecided !== undefined && { undecided: [...undecided] }),
  at,
});

/** Returns the refund of held units. */
const refundOf = (state: Withdrawal) => {
  const [status, { refund }] = [refundStatusOf(state), state];
  if (status === undefined || refund === undefined) return {};
  const { dueBy, paidAt } = refund;
  return { refund: { status, dueBy, ...(paidAt !== undefined && { paidAt }) } };
};

/** Returns what a match carried out. */
const effectOf = ({ cancelled = [], returns = [], ...state }: Withdrawal) => ({
  ...(cancelled.length > 0 && { cancelled: [...cancelled] }),
  ...refundOf({ ...state, cancelled }),
  ...(returns.length > 0 && { returns: returns.map((created) => ({ ...created, lines: [...created.lines] })) }),
});

/** Makes the wire form of a withdrawal without its texts. Commands return it, and it is stored for repeats. */
export const withdrawalView = (state: Withdrawal): View => {
  const { timeZone, source, receipt, match, answer, withdrawn, createdAt, updatedAt, version } = state;
  const { sha256, keyId, sent } = receipt;
  return {
    ...headOf(state),
    timeZone,
    ...(source !== undefined && { source }),
    receipt: { status: receiptStatusOf(receipt), sha256, keyId, ...(sent !== undefined && { sent }) },
    ...(match !== undefined && { match: matchOf(match) }),
    ...effectOf(state),
    // A later match replaces an answer.
    ...(answer !== undefined && state.status === 'answered' && { answer: answerOf(answer) }),
    ...(withdrawn !== undefined && { withdrawn }),
    createdAt,
    updatedAt,
    version,
  };
};

type Ref = { readonly ref: string };
type DeclaredRefs = { readonly [Name in 'name' | 'email' | 'contract']: Ref } & { readonly lines?: Ref };

/** The references of all declarations. */
const declaredRefs: Required<DeclaredRefs> = {
  name: { ref: 'name' },
  email: { ref: 'email' },
  contract: { ref: 'contract' },
  lines: { ref: 'lines' },
};

/** Returns the texts of a declaration; undefined when they are erased. */
const declaredContent = (references: DeclaredRefs, texts: Texts): DeclaredContent | undefined => {
  const textOf = (ref: string | undefined) => (ref === undefined ? undefined : texts.get(ref));
  const [name, email, contract] = [references.name, references.email, references.contract].map(({ ref }) =>
    texts.get(ref),
  );
  const lines = textOf(references.lines?.ref);
  if (name === undefined || email === undefined || contract === undefined) return undefined;
  return { name, email, contract, ...(lines !== undefined && { lines }) };
};

/** Adds the texts to the view of a withdrawal, or a mark of their erasure. */
export const withdrawalViewWithTexts = (state: Withdrawal, texts: Texts): View => {
  const view = withdrawalView(state);
  const declaration = declaredContent(state.texts, texts);
  const { answer } = view;
  const note = state.answer?.note === undefined ? undefined : texts.get(state.answer.note.ref);
  return {
    ...view,
    ...(declaration === undefined ? { erased: true as const } : { declaration }),
    ...(answer !== undefined && { answer: { ...answer, ...(note !== undefined && { note }) } }),
  };
};

/** Returns the parts of the signed receipt among the texts of a withdrawal; undefined when they are erased. */
export const receiptIn = (texts: Texts): ReceiptParts | undefined => {
  const text = texts.get(receiptRef);
  return text === undefined ? undefined : (JSON.parse(text) as ReceiptParts);
};

/** Returns the digest that leads to a declaration; undefined when it is erased. */
export const markerIn = (texts: Texts): string | undefined => texts.get(markerRef);

/**
 * Makes the wire form of a declaration, as it was when it was stored. An equal declaration gets the same bytes: a
 * repeat does not show whether the shop has found an order.
 */
export const declaredView = ({ id: withdrawalId, declaredAt, receipt }: Withdrawal): Output<'declareWithdrawal'> => {
  const { sha256, keyId } = receipt;
  return { withdrawalId, declaredAt, receipt: { status: 'due', sha256, keyId }, version: declaredVersion };
};

/**
 * Makes the wire form of a withdrawal in a list.
 *
 * @param texts the texts of the withdrawals by id, if they are wanted
 */
export const withdrawalSummaryView = (
  summary: WithdrawalSummary,
  texts?: ReadonlyMap<string, Texts>,
): Output<'listWithdrawals'>['items'][number] => {
  const { receipt, refund, order, createdAt, updatedAt, version } = summary;
  const dueBy = actBy(summary);
  const declaration = texts && declaredContent(declaredRefs, texts.get(summary.id) ?? new Map<string, string>());
  return {
    ...headOf(summary),
    receipt,
    ...(refund !== undefined && { refund }),
    ...(order !== undefined && { order }),
    ...(dueBy !== undefined && { dueBy }),
    ...(declaration !== undefined && { declaration }),
    ...(texts !== undefined && declaration === undefined && { erased: true as const }),
    createdAt,
    updatedAt,
    version,
  };
};

import type { Compiled } from '../../policies/evaluate/compile.ts';
import type { Facts } from '../../policies/facts.ts';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import { returnTimesOf } from '../../store/returns/customer-returns.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Question } from './ruling.ts';

const millisecondsOfDay = 86_400_000;
const counted = [30, 90, 365] as const;

/** How often the customer asked for returns before, where the policy looks at it and the shop names the customer. */
const frequencies = async (session: Session, { facts }: Compiled, { order, requestedAt, returnId }: Question) => {
  const id = order.facts.customer?.id;
  if (id === undefined || !counted.some((days) => facts.includes(`customer.returnsLast${days}Days`))) return {};
  const now = Date.parse(requestedAt);
  const times = await returnTimesOf(session, id, now - 365 * millisecondsOfDay, returnId);
  const last = (days: number) => times.filter((at) => at <= now && at >= now - days * millisecondsOfDay).length;
  return { returnsLast30Days: last(30), returnsLast90Days: last(90), returnsLast365Days: last(365) };
};

/** What a policy may know of the customer: nothing that would tell who it is. */
export const customerFacts = async (
  session: Session,
  { lists = {} }: PolicyDocument,
  compiled: Compiled,
  question: Question,
): Promise<Facts['customer']> => {
  const { id, segment } = question.order.facts.customer ?? {};
  const on = Object.keys(lists).filter((name) => id !== undefined && lists[name]?.includes(id) === true);
  return {
    ...(segment === undefined ? {} : { segment }),
    ...(id === undefined ? {} : { lists: on.toSorted() }),
    ...(await frequencies(session, compiled, question)),
  };
};

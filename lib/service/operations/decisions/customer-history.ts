import { countedDays, type Facts, over, overAllDays, type Right } from '../../../domain/policies/facts.ts';
import { conductOf } from '../../../domain/policies/decision/conduct-of.ts';
import type { CompiledPolicy } from '../../../domain/policies/evaluate/compile.ts';
import { orderPartition } from '../../../store/engine/keys.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readOrderRecords } from '../../../store/orders/orders.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import { readEarlierReturnIds } from '../../../store/returns/order-returns.ts';
import { readSummariesById } from '../../../store/returns/whole-returns.ts';
import { readReturns } from '../../../store/returns/returns.ts';
import type { EvaluationRequest } from './policy-decision.ts';

const dayMs = 86_400_000;

/** The newest returns that are read for the conduct of a customer. Older ones count for nothing. */
const maxExamined = 100;

/** Returns the facts about conduct, from some returns of the customer with their orders. */
const readConduct = async (
  session: Session,
  { order, requestedAt }: EvaluationRequest,
  ids: readonly string[],
): Promise<Facts['customer']> => {
  const found = await readReturns(session, ids.slice(0, maxExamined));
  // Customers of different shops may have the same id.
  const own = [...found.values()].filter(({ subject }) => subject === dataSubjectOf(order));
  const orders = await readOrderRecords(
    session,
    own.map((state) => state.order),
  );
  const earlier = own.map((state) => ({ state, known: orders.get(orderPartition(state.order)) }));
  return {
    historyComplete: ids.length <= maxExamined,
    ...conductOf(earlier, requestedAt, order.facts.currency),
  };
};

/** Returns the score that the caller sent with a request, if a policy reads it. */
export const externalScore = (
  { facts }: CompiledPolicy,
  { request: { externalScore: score } }: EvaluationRequest,
): Facts['customer'] =>
  score === undefined || !facts.includes('customer.externalScoreSource')
    ? {}
    : { externalScore: score.value, externalScoreSource: score.source };

/**
 * Returns counts and sums over the earlier returns of a customer, as far as a policy uses them and the order names the
 * customer. Conduct is read only where no line has a statutory right: with one, no rule on it applies.
 *
 * @param rights of the lines of the request
 */
export const customerHistory = async (
  session: Session,
  { facts }: CompiledPolicy,
  request: EvaluationRequest,
  rights: ReadonlyMap<string, readonly Right[]>,
): Promise<Facts['customer']> => {
  const { order, requestedAt, returnId: except } = request;
  const customerId = order.facts.customer?.id;
  const usesCounts = overAllDays('returns').some((name) => facts.includes(`customer.${name}`));
  const usesConduct =
    facts.includes('customer.historyComplete') && [...rights.values()].every((held) => held.length === 0);
  if (customerId === undefined || !(usesCounts || usesConduct)) return {};
  const now = Date.parse(requestedAt);
  const since = now - Math.max(...countedDays) * dayMs;
  const ids = await readEarlierReturnIds(session, customerId, since, except);
  // The id of an imported return has the time of its import. Its summary has the time of its request.
  const created = (await readSummariesById(session, ids)).map(({ id, createdAt }) => ({
    id,
    at: Date.parse(createdAt),
  }));
  const earlier = created.filter(({ at }) => at <= now).toSorted((first, second) => second.at - first.at);
  const counts = countedDays.map((days) => [
    over('returns', days),
    earlier.filter(({ at }) => at >= now - days * dayMs).length,
  ]);
  const newest = earlier.map(({ id }) => id);
  return {
    ...(usesCounts && Object.fromEntries(counts)),
    ...(usesConduct && (await readConduct(session, request, newest))),
  };
};

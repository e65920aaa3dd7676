import * as matchWithdrawal from '#validators/matchWithdrawal';
import type { Backend } from '../../contract/port.ts';
import * as operations from '../../contract/operations.ts';
import { withValidation } from '../../http/with-validation.ts';
import { dataSubjectOf } from '../../personal/text-references.ts';
import type { Order, OrderRef } from '../../returns/model/order.ts';
import { errorName, log } from '../../runtime/log.ts';
import { postpone, type DueItem, walkDueItems } from '../../store/engine/due.ts';
import { withdrawalOfPartition } from '../../store/engine/keys.ts';
import { remove, transact } from '../../store/engine/transact.ts';
import { readOrder, readOrdersByNumber } from '../../store/orders/orders.ts';
import { readPerson, readTexts } from '../../store/personal/personal.ts';
import { readWithdrawal } from '../../store/withdrawals/withdrawals.ts';
import { isSameEmail, nextSearchAt, orderNumbersIn } from '../../withdrawals/order-search.ts';
import type { Withdrawal } from '../../withdrawals/model/withdrawal.ts';
import { isSettled, openRun, processPages, type Remaining, type Run, ScheduleFailed } from '../run.ts';

const name = 'match-withdrawals';
const pageSize = 25;
/** Withdrawals that are processed concurrently, and the time below which no page begins. */
const pace = { atOnce: 8, pageMs: 15_000 };
/** Orders that are read for one number. Shops of several platforms may use the same number. */
const maxOrders = 10;

type Outcome = 'matched' | 'waiting' | 'ended' | 'failed';
/** The counts of a run, and whether it has read the last page. */
type Matched = Record<Outcome, number> & { readonly through: boolean };

/** Returns the registered orders that a declaration may mean by their number. */
const readCandidates = async (
  run: Run,
  numbers: readonly string[],
  platform: string | undefined,
): Promise<readonly Order[]> => {
  const found = await Promise.all(numbers.map(async (number) => readOrdersByNumber(run.session, number, maxOrders)));
  const refs = new Map(
    found
      .flat()
      .filter((ref) => platform === undefined || ref.platform === platform)
      .map((ref): [string, OrderRef] => [JSON.stringify(ref), ref]),
  );
  const records = await Promise.all([...refs.values()].map(async (ref) => readOrder(run.session, ref)));
  return records.flatMap((record) => record?.order ?? []);
};

/**
 * Returns the only order whose number and e-mail address match the declaration. Several orders are left to staff. So is
 * a declaration whose texts are erased.
 */
const findOrder = async (run: Run, state: Withdrawal): Promise<Order | undefined> => {
  const texts = await readTexts(run.session, state.subject, state.id);
  const [contract, email] = [texts.get(state.texts.contract.ref), texts.get(state.texts.email.ref)];
  if (contract === undefined || email === undefined) return undefined;
  const candidates = await readCandidates(run, orderNumbersIn(contract), state.platform);
  const persons = await Promise.all(
    candidates.map(async (order) => (await readPerson(run.session, dataSubjectOf(order)))?.person.email),
  );
  const matching = candidates.filter((_, index) => isSameEmail(persons[index] ?? '', email));
  return matching.length === 1 ? matching[0] : undefined;
};

const endSearch = async ({ session }: Run, { pk, sk }: DueItem): Promise<'ended'> => {
  await transact(session, [remove('search', { pk, sk })]);
  return 'ended';
};

/** Looks again later, or leaves the declaration to staff. */
const waitOrEnd = async (run: Run, due: DueItem, createdAt: string): Promise<'waiting' | 'ended'> => {
  const next = nextSearchAt(createdAt, Date.parse(run.now));
  if (next === undefined) return endSearch(run, due);
  await postpone(run.session, due, next);
  return 'waiting';
};

/**
 * Matches withdrawals of a whole contract to their orders by rule: the order number and the e-mail address both match,
 * and no second order does. All others wait for staff, and the search ends after 30 days. Nothing is held or cancelled
 * before a match.
 *
 * @param at the time of the run, in epoch milliseconds
 * @throws {ScheduleFailed} after the other withdrawals, when some failed
 */
export const matchWithdrawals = (backend: Pick<Backend, 'matchWithdrawal'>) => {
  const match = withValidation<'matchWithdrawal'>(operations.matchWithdrawal, matchWithdrawal, backend.matchWithdrawal);

  const matchOne = async (run: Run, due: DueItem): Promise<Outcome> => {
    const withdrawalId = withdrawalOfPartition(due.pk);
    const state = await readWithdrawal(run.session, withdrawalId);
    // A declaration of some goods is left to staff: only the consumer's own words say which lines they are.
    if (state?.status !== 'declared' || state.texts.lines !== undefined) return endSearch(run, due);
    const order = await findOrder(run, state);
    if (order === undefined) return waitOrEnd(run, due, state.createdAt);
    const { platform, orderId } = order;
    const call = {
      ...run.call('returns:write'),
      ifMatch: state.version,
      idempotencyKey: `match-${withdrawalId}-${state.version}`,
    };
    const matched = await match({ withdrawalId, order: { platform, orderId } }, call);
    if (matched.ok) {
      await endSearch(run, due);
      return 'matched';
    }
    const { code } = matched.failure;
    // The withdrawal or the order has changed meanwhile.
    if (isSettled(code)) return waitOrEnd(run, due, state.createdAt);
    log('error', 'withdrawal not matched', { withdrawalId, code });
    return 'failed';
  };

  const matchSafely = async (run: Run, due: DueItem): Promise<Outcome> => {
    try {
      return await matchOne(run, due);
    } catch (error) {
      log('error', 'withdrawal not matched', { withdrawalId: withdrawalOfPartition(due.pk), error: errorName(error) });
      return 'failed';
    }
  };

  return async function handler(_event: unknown, context: Remaining, at = Date.now()): Promise<Matched> {
    using run = openRun(name, context, at);
    const counts: Record<Outcome, number> = { matched: 0, waiting: 0, ended: 0, failed: 0 };
    const searches = walkDueItems(run.session, 'searches', run.now, pageSize);
    const through = await processPages(run, searches, pace, counts, async (due) => matchSafely(run, due));
    const done = { ...counts, through };
    log(done.failed > 0 ? 'error' : 'info', `${name} completed`, done);
    if (done.failed > 0) throw new ScheduleFailed(`${done.failed} withdrawals were not matched`);
    return done;
  };
};

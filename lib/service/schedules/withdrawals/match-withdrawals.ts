import * as matchWithdrawal from '#validators/matchWithdrawal';
import type { Backend } from '../../../contract/port.ts';
import * as operations from '../../../contract/operations.ts';
import { withValidation } from '../../../contract/validation/with-validation.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import type { Order, OrderRef } from '../../../domain/returns/model/order.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { count } from '../../../runtime/metrics.ts';
import { postpone, type DueItem, readDueItems } from '../../../store/engine/due.ts';
import { withdrawalOfPartition } from '../../../store/engine/keys.ts';
import { remove, transact } from '../../../store/engine/transact.ts';
import { readOrder, readOrdersByNumber } from '../../../store/orders/orders.ts';
import { readPerson, readTexts } from '../../../store/personal/personal.ts';
import { readWithdrawal } from '../../../store/withdrawals/withdrawals.ts';
import { isSameEmail, nextSearchAt, orderNumbersIn } from '../../../domain/withdrawals/order-search.ts';
import type { Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { foldName, isSameName } from '../../../domain/withdrawals/same-name.ts';
import { isPermanent, openRun, processPages, type Remaining, type Run, ScheduleFailed } from '../run.ts';

const name = 'match-withdrawals';
const pageSize = 25;
/** Withdrawals that are processed concurrently, and the time below which no page begins. */
const pace = { atOnce: 8, pageMs: 15_000 };
/** Orders that are read for one number. Shops of several platforms may use the same number. */
const maxOrders = 10;

type Outcome = 'matched' | 'waiting' | 'forStaff' | 'ended' | 'failed';
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

/** Why an order with the number and the e-mail address of a declaration is left to staff. */
type Doubt = 'name_missing' | 'name_differs' | 'several_orders';
type Found =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'forStaff'; readonly reason: Doubt }
  | { readonly kind: 'none' };

/** An order that may be meant, and the name of its customer; empty when it has none. */
type Candidate = { readonly order: Order; readonly name: string };

/** Returns the only order with the name of the declaration, or why staff must choose. */
const chooseByName = (candidates: readonly Candidate[], declared: string): Found => {
  const [only, ...others] = candidates.filter(({ name }) => isSameName(name, declared));
  if (only !== undefined)
    return others.length === 0 ? { kind: 'order', order: only.order } : { kind: 'forStaff', reason: 'several_orders' };
  if (candidates.length === 0) return { kind: 'none' };
  const isNamed = candidates.some(({ name }) => foldName(name) !== '');
  return { kind: 'forStaff', reason: isNamed ? 'name_differs' : 'name_missing' };
};

/**
 * Finds the order whose number, e-mail address and name match the declaration. Number and address alone prove too
 * little: they stand in every mail of the shop, and others may read one. Erased texts match no order.
 */
const findOrder = async (run: Run, state: Withdrawal): Promise<Found> => {
  const texts = await readTexts(run.session, state.subject, state.id);
  const [contract, email, name] = (['contract', 'email', 'name'] as const).map((field) =>
    texts.get(state.texts[field].ref),
  );
  if (contract === undefined || email === undefined || name === undefined) return { kind: 'none' };
  const candidates = await Promise.all(
    (await readCandidates(run, orderNumbersIn(contract), state.platform)).map(async (order) => ({
      order,
      person: (await readPerson(run.session, dataSubjectOf(order)))?.person ?? {},
    })),
  );
  const ofAddress = candidates.filter(({ person }) => isSameEmail(person.email ?? '', email));
  return chooseByName(
    ofAddress.map(({ order, person }) => ({ order, name: person.name ?? '' })),
    name,
  );
};

const endSearch = async ({ session }: Run, { pk, sk }: DueItem): Promise<'ended'> => {
  await transact(session, [remove('search', { pk, sk })]);
  return 'ended';
};

/** Looks again later, or ends the search. */
const waitOrEnd = async (run: Run, due: DueItem, createdAt: string): Promise<'waiting' | 'ended'> => {
  const next = nextSearchAt(createdAt, Date.parse(run.now));
  if (next === undefined) return endSearch(run, due);
  await postpone(run.session, due, next);
  return 'waiting';
};

/**
 * Reports a declaration that staff must compare with the order. The order may still get its name, so the search
 * continues.
 */
const leaveToStaff = async (
  run: Run,
  due: DueItem,
  { id: withdrawalId, createdAt }: Withdrawal,
  reason: Doubt,
): Promise<Outcome> => {
  log('warn', 'withdrawal left to staff', { withdrawalId, reason });
  await waitOrEnd(run, due, createdAt);
  return 'forStaff';
};

/**
 * Matches withdrawals of a whole contract to their orders by rule: the order number, the e-mail address and the name are
 * those of one order. All others wait for staff, and the search ends after 30 days. Nothing is held or cancelled before
 * a match. `WithdrawalsForStaff` counts the declarations whose order has another name or none.
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
    const found = await findOrder(run, state);
    if (found.kind === 'none') return waitOrEnd(run, due, state.createdAt);
    if (found.kind === 'forStaff') return leaveToStaff(run, due, state, found.reason);
    const { platform, orderId } = found.order;
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
    if (isPermanent(code)) return waitOrEnd(run, due, state.createdAt);
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
    const counts: Record<Outcome, number> = { matched: 0, waiting: 0, forStaff: 0, ended: 0, failed: 0 };
    const searches = readDueItems(run.session, 'searches', run.now, pageSize);
    const through = await processPages(run, searches, pace, counts, async (due) => matchSafely(run, due));
    if (counts.forStaff > 0) count({ WithdrawalsForStaff: counts.forStaff });
    const done = { ...counts, through };
    log(done.failed > 0 ? 'error' : 'info', `${name} completed`, done);
    if (done.failed > 0) throw new ScheduleFailed(`${done.failed} withdrawals were not matched`);
    return done;
  };
};

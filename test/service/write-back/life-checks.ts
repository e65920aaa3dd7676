import { expect } from 'vitest';
import type { Intent } from '../../../lib/domain/write-back/intent.ts';
import type { OwnReturn } from './acts.ts';
import type { Life } from './life.ts';
import type { ShopWorld } from './worlds/world.ts';

/* What is true at the end of a life, whatever has happened in it. */

/** What may have gone wrong in a life. */
export type Trouble = { readonly reasons: Set<string>; hasClerk: boolean };

/** Reasons of intents that a clerk causes, who leaves too little of the payment. */
export const spentReasons: readonly string[] = ['exceeds_payment', 'amount_differs', 'refund_exceeds_payments'];

/** The same while the payments of the clerk are not known here. */
const clerkReasons = ['refund_exists', 'refund_unclear', ...spentReasons];

export const describeIntents = (intents: readonly Intent[]) =>
  intents.map(({ action, status, reason, requests, runs, refundId, seen, by }) =>
    [action, status, reason, `requests ${requests}`, `runs ${runs}`, refundId, seen, by].join(' '),
  );

type OwnRefund = OwnReturn['refunds'][number];
const idOf = ({ external, providerRef }: OwnRefund): string | undefined => external?.externalId ?? providerRef;

/** The money of the shop and ours are the same: each payment by our word is a refund of ours, once. */
export const expectEqualMoney = async (world: ShopWorld, life: Life, { hasClerk }: Trouble): Promise<void> => {
  const paid = world.paid(life.order.orderId);
  const returns = await life.returns();
  const refunds = returns.flatMap((own) => own.refunds);
  const succeeded = refunds.filter(({ status }) => status === 'succeeded');
  const byUs = paid.filter(({ isOurs }) => isOurs);
  expect(new Set(byUs.map(({ mark }) => mark)).size, 'a key has paid twice').toBe(byUs.length);
  for (const { externalId, amount } of byUs)
    expect(
      succeeded.filter((refund) => idOf(refund) === externalId).map((refund) => refund.amount.amount),
      `payment ${externalId}`,
    ).toEqual([amount]);
  const ids = new Set(paid.map(({ externalId }) => externalId));
  expect(new Set(succeeded.map(idOf)).size, 'a payment counts for two refunds').toBe(succeeded.length);
  expect(succeeded.filter((refund) => !ids.has(idOf(refund) ?? ''))).toEqual([]);
  if (hasClerk) return;
  expect(byUs.length).toBe(paid.length);
  expect(succeeded.length).toBe(byUs.length);
  for (const { discrepancies, recoveryDue } of returns) {
    expect(discrepancies).toEqual([]);
    expect(recoveryDue?.amount ?? 0).toBe(0);
  }
};

const versionsOf = async (life: Life) => (await life.returns()).map(({ returnId, version }) => [returnId, version]);

/** Nothing more happens, however often the shop reports its state, and the worker runs. What a person ended is ended. */
export const expectNoEcho = async (life: Life): Promise<void> => {
  const returns = await life.returns();
  expect(returns.length, 'a return of ours came back as another').toBe(life.returnIds.length);
  for (const { returnId, status } of returns) if (life.completed.has(returnId)) expect(status).toBe('completed');
  const before = await versionsOf(life);
  const count = (await life.intents()).length;
  for (let round = 0; round < 2; round += 1) {
    await life.reportAll(round);
  }
  expect(await versionsOf(life)).toEqual(before);
  expect((await life.intents()).length).toBe(count);
};

/** Only what the faults of the life leave to people is left. */
export const expectReasons = async (
  world: ShopWorld,
  life: Life,
  intents: readonly Intent[],
  { reasons, hasClerk }: Trouble,
): Promise<void> => {
  const keepsUnits = (await life.returns()).some(
    ({ status, lines }) =>
      status !== 'cancelled' && lines.some(({ quantities }) => quantities.refused + quantities.cancelled > 0),
  );
  const allowed = new Set([...reasons, ...(hasClerk ? clerkReasons : []), ...(keepsUnits ? world.ofKeptUnits : [])]);
  const left = intents.filter(({ status }) => status === 'parked');
  expect(describeIntents(left.filter(({ reason = '' }) => !allowed.has(reason)))).toEqual([]);
  if (world.isMoneySafe && !hasClerk)
    expect(describeIntents(left.filter(({ action }) => action === 'refund'))).toEqual([]);
};

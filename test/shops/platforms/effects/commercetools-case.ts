import { afterAll, beforeEach, vi } from 'vitest';
import type { Effects, Wanted, WantedLine, WantedRefund } from '../../../../lib/shops/platforms/effect.ts';
import { effects } from '../../../../lib/shops/platforms/commercetools/effects.ts';
import { translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';
import { startContainer } from '../../../../lib/runtime/container.ts';
import { orderNode, paidBy, payment, startProject } from '../commercetools-project.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { drive, type Options, type Outcome, startClock } from './drive-intent.ts';

export const returnId = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const projectKey = 'nl-unittests-dev';
const orderId = String(orderNode()['id']);

type Item = { readonly key?: string; readonly lineItemId?: string; readonly customLineItemId?: string } & Record<
  'shipmentState' | 'paymentState',
  string
>;
type Transaction = {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly amount: { centAmount: number };
};

let count = 0;
export const refundOf = (amount: number, lines: WantedRefund['lines'] = [], currency = 'EUR'): WantedRefund => ({
  refundId: 'rfd_1',
  amount: { amount, currency },
  lines,
  shipping: 0,
  rest: amount,
});
/** Starts a project for the tests of a file, and asks it as the worker does. */
export const openProjectCase = async () => {
  const project = await startProject(projectKey);
  const store = await startPlatformSecret();
  store.put({ [projectKey]: project.entry() });

  afterAll(async () => {
    vi.useRealTimers();
    await project.close();
    await store.close();
  });
  beforeEach(() => {
    startClock('2026-11-29T12:00:00Z');
    startContainer();
    sell();
    project.state.faults.splice(0);
  });

  const sell = (changes: Record<string, unknown> = {}) => {
    project.state.order = orderNode({ ...paidBy(payment([])), ...changes });
  };
  /** Returns a field of the order. */
  const fieldOf = <Value>(name: string, absent: Value): Value => (project.state.order?.[name] ?? absent) as Value;
  const items = (): readonly Item[] => fieldOf<{ items: Item[] }[]>('returnInfo', []).flatMap((info) => info.items);
  const refunds = (): readonly Transaction[] =>
    fieldOf<{ payments: { obj: { transactions: Transaction[] } }[] }>('paymentInfo', { payments: [] })
      .payments.flatMap(({ obj }) => obj.transactions)
      .filter(({ type }) => type === 'Refund');
  const updates = () => project.requests.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token');

  const wantedOf = (
    action: keyof Effects,
    lines: readonly WantedLine[],
    { externalId, ...changes }: Partial<Wanted> & { readonly externalId?: string } = {},
  ): Wanted => ({
    key: `intent-${(count += 1)}`,
    action,
    orderId,
    return: {
      returnId,
      rmaNumber: 'R-1',
      requestedAt: '2026-11-05T08:00:00.000Z',
      lines,
      ...(externalId !== undefined && { externalId }),
    },
    paysRefunds: true,
    ...changes,
  });
  const ask = async (wanted: Wanted, before?: Options['before']): Promise<Outcome> => {
    const effect = effects[wanted.action];
    if (effect === undefined) throw new Error(`commercetools has no ${wanted.action}`);
    return drive(effect, projectKey, wanted, before === undefined ? {} : { before });
  };
  const act = async (...parts: Parameters<typeof wantedOf>) => ask(wantedOf(...parts));

  const snapshot = async () => {
    const body = {
      notificationType: 'Message',
      projectKey,
      type: 'ReturnInfoAdded',
      resource: { typeId: 'order', id: orderId },
    };
    return translator.prepare({ source: projectKey, topic: 'ReturnInfoAdded', body }, Date.now() + 20_000);
  };
  return { project, sell, fieldOf, items, refunds, updates, wantedOf, ask, act, snapshot };
};

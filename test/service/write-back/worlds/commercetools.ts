import { orderFacts } from '../../../../lib/shops/platforms/commercetools/facts.ts';
import { fetchOrder } from '../../../../lib/shops/platforms/commercetools/fetch-snapshot.ts';
import { translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';
import { startProject, type UpdateFault } from '../../../../lib/tools/local/shops/commercetools/project.ts';
import { orderNode, paidBy, payment } from '../../../shops/platforms/commercetools-project.ts';
import { ampleDeadline } from '../../../support/time.ts';
import { daysAgo, type ShopWorld, valueOf } from './world.ts';

const source = 'lives';

type Transaction = {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly amount: { readonly centAmount: number };
  readonly interactionId?: string;
};

/** An update names the version that it is for, so that no fault leaves a repeat to people. */
const faults: Readonly<Record<UpdateFault, readonly string[]>> = {
  cut_before: [],
  cut_after: [],
  late: [],
  failed_after: [],
  rejected_after: [],
  conflict: [],
  throttled: [],
};

/** Starts a commercetools project, which has the order that was sold last. Its payment service pays as time passes. */
export const startCommercetoolsWorld = async (): Promise<ShopWorld> => {
  const project = await startProject(0, [source]);
  let last = 0;
  const refundsOf = (orderId: string): readonly Transaction[] => {
    const { order } = project.state;
    if (order?.['id'] !== orderId) return [];
    const { payments } = order['paymentInfo'] as { payments: { obj: { transactions: Transaction[] } }[] };
    return payments.flatMap(({ obj }) => obj.transactions).filter(({ type }) => type === 'Refund');
  };
  return {
    platform: 'commercetools',
    source,
    access: project.entry(),
    translator,
    actions: ['receive', 'inspect', 'refund'],
    currency: 'EUR',
    receivesOnce: false,
    sell: () => {
      last += 1;
      const createdAt = daysAgo(6);
      project.state.order = orderNode({
        id: `order-${last}`,
        createdAt,
        ...paidBy(payment([], { id: `pay-${last}` })),
      });
      const lines = [
        { orderLineId: 'line-1', quantity: 2 },
        { orderLineId: 'line-2', quantity: 1 },
        { orderLineId: 'custom-1', quantity: 1 },
      ];
      return { orderId: `order-${last}`, lines };
    },
    facts: async (orderId) => {
      const order = valueOf(await fetchOrder({ source, deadline: ampleDeadline() }, orderId));
      return valueOf(orderFacts(order, new Date().toISOString()));
    },
    reports: (orderId) => {
      const message = (type: string, typeId: string, id: string) => ({
        topic: type,
        body: { notificationType: 'Message', projectKey: source, type, resource: { typeId, id } },
      });
      return [
        message('ReturnInfoAdded', 'order', orderId),
        message('PaymentTransactionStateChanged', 'payment', orderId.replace('order', 'pay')),
      ];
    },
    paid: (orderId) =>
      refundsOf(orderId)
        .filter(({ state }) => state === 'Success')
        .map(({ id, amount, interactionId }) => ({
          externalId: `${orderId.replace('order', 'pay')}:${id}`,
          amount: amount.centAmount,
          mark: interactionId ?? id,
          isOurs: interactionId !== undefined,
        })),
    refundByHand: (_, amount) => project.refundByHand(amount),
    pass: () => project.settle('Success'),
    faults,
    fail: (name) => void project.state.faults.push(name as UpdateFault),
    settle: async () => {
      project.state.faults.splice(0);
      project.runLate();
    },
    ofKeptUnits: ['units_not_returnable'],
    isMoneySafe: true,
    close: project.close,
  };
};

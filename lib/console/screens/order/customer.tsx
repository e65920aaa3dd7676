import type { Output } from '../../../contract/contract.ts';
import { listReturns } from '../../../contract/operations.ts';
import { type Answer, call } from '../../api/call.ts';
import { type Found, searchPersons } from '../../api/search.ts';
import { useAnswer } from '../../api/use-call.ts';
import { titles } from '../../app/texts.ts';
import { Empty, Facts, Section } from '../../components/basics.tsx';
import { OrderTable } from '../../components/order-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { ReturnList } from '../../components/return-list.tsx';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { t } from './texts.ts';

type Order = Output<'getOrder'>;

/**
 * Reads all orders and returns with the e-mail address of the customer, also those of other shops and without an
 * account. Without a search for customers, it reads the returns of the same customer at the shop.
 */
const readAll = async ({ platform, orderId, customer }: Order, signal: AbortSignal): Promise<Answer<Found>> => {
  if (customer?.email !== undefined && may('returns:search')) {
    const found = await searchPersons('email', customer.email, { signal });
    if (found.ok || found.problem.code !== 'feature_disabled') return found;
  }
  const filter = customer?.id === undefined ? { platform, orderId } : { platform, customerId: customer.id };
  const answer = await call(listReturns, { ...filter, limit: 50 }, { signal });
  if (!answer.ok) return answer;
  const items = answer.value.items.map((item) => ({ matchedBy: 'order' as const, return: item }));
  return { ok: true, value: { items, orders: [], more: answer.value.nextCursor !== null } };
};

/** The customer of an order, with all their orders and returns. The address has the order, and no personal data. */
export const Customer = ({ order }: { order: Order }) => {
  const { platform, customer = {} } = order;
  const found = useAnswer('customer', async (signal) => readAll(order, signal));
  const text = t().customer;
  return (
    <>
      <div class="screen-head">
        <h1>{customer.name ?? label('party', 'customer')}</h1>
      </div>
      <div class="stack">
        <Section title={common().details}>
          <Facts
            rows={[
              [common().name, customer.erased === true ? common().erased : customer.name],
              [common().email, customer.email],
              [common().customerId, customer.id],
              [common().platform, platform],
              [common().segment, customer.segment],
            ]}
          />
        </Section>
        <Resource of={found}>
          {({ items, orders, more }) => (
            <>
              <p class="fine">{orders.length > 0 ? text.sameEmail : text.onlyKnown}</p>
              {orders.length > 0 && (
                <Section title={text.orders}>
                  <OrderTable orders={orders} label={text.orders} />
                </Section>
              )}
              <Section title={titles().queue}>
                {items.length === 0 && <Empty>{text.none}</Empty>}
                <ReturnList items={items.map((item) => item.return)} withOrder />
              </Section>
              {more && <p class="fine">{text.more}</p>}
            </>
          )}
        </Resource>
      </div>
    </>
  );
};

import { useEffect } from 'preact/hooks';
import { search } from '../../api/search.ts';
import { useAnswer } from '../../api/use-call.ts';
import { orderHref } from '../../app/router.ts';
import { Empty } from '../../components/basics.tsx';
import { OrderTable } from '../../components/order-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { fill } from '../../texts/fill.ts';
import { ReturnTable } from './return-table.tsx';
import { t } from './texts.ts';

/** What a search found: the returns, then the orders without one. The only return gets the focus, so that Enter opens it. */
export const Results = ({ text }: { text: string }) => {
  const found = useAnswer(text, async (signal) => search(text, { signal }));
  const isOne = found.value?.items.length === 1;
  useEffect(() => {
    if (isOne) document.querySelector<HTMLAnchorElement>('.queue-link')?.focus();
  }, [isOne]);
  const words = t().search;
  return (
    <Resource of={found}>
      {({ items, orders: allOrders, more, compared }) => {
        const shown = new Set(items.map((item) => orderHref(item.return.order)));
        const orders = allOrders.filter((order) => !shown.has(orderHref(order)));
        return (
          <>
            {items.length === 0 && orders.length === 0 && <Empty>{words.nothing}</Empty>}
            {items.length > 0 && (
              <ReturnTable
                items={items.map((item) => item.return)}
                matchedBy={new Map(items.map((item) => [item.return.returnId, words.matched[item.matchedBy]]))}
                isBusy={found.isLoading}
              />
            )}
            {orders.length > 0 && (
              <>
                <h3>{words.orders}</h3>
                <OrderTable orders={orders} label={words.orders} />
              </>
            )}
            {compared !== undefined && <p class="fine">{fill(words.compared, { count: compared })}</p>}
            {more && <p class="fine">{words.tooMany}</p>}
          </>
        );
      }}
    </Resource>
  );
};

import type { Output } from '../../contract/contract.ts';
import { hrefOf, orderHref } from '../app/router.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { Money, Time } from './basics.tsx';
import { RefundBadge, StatusBadge } from './return-badges.tsx';

/** The returns of an order or a customer, each with its status, its units and its worth. */
export const ReturnList = ({
  items,
  withOrder = false,
}: {
  items: readonly Output<'listReturns'>['items'][number][];
  withOrder?: boolean;
}) => (
  <ul class="return-list">
    {items.map((item) => (
      <li key={item.returnId}>
        <a class="mono" href={hrefOf(`/returns/${item.returnId}`)}>
          {item.rmaNumber}
        </a>
        {withOrder && (
          <a href={orderHref(item.order)}>{`${common().order} ${item.order.number ?? item.order.orderId}`}</a>
        )}
        <StatusBadge status={item.status} />
        <RefundBadge status={item.refundStatus} />
        <span>{fill(common().units, { count: item.quantity })}</span>
        <Money of={item.amounts.worth} />
        <span class="fine">
          <Time at={item.requestedAt} />
        </span>
      </li>
    ))}
  </ul>
);

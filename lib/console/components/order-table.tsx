import type { ComponentChildren } from 'preact';
import type { FoundOrder } from '../api/search.ts';
import { orderHref } from '../app/router.ts';
import { common } from '../texts/common.ts';
import { label } from '../texts/labels.ts';
import { Time } from './basics.tsx';
import { CustomerLink } from './customer-link.tsx';
import { Columns, TableWrap } from './page-table.tsx';

/** A column that a dialog adds. */
type Column = { readonly name: string; readonly cell: (order: FoundOrder) => ComponentChildren };

/** A table of orders, with or without returns. With a column for a choice, links open a new tab: the dialog stays. */
export const OrderTable = ({
  orders,
  label: name,
  choice,
  last,
}: {
  orders: readonly FoundOrder[];
  label: string;
  choice?: Column;
  last?: Column;
}) => {
  const added = (column: Column | undefined, order: FoundOrder) => column && <td>{column.cell(order)}</td>;
  const target = choice && '_blank';
  return (
    <TableWrap label={name}>
      <Columns
        names={[
          ...(choice === undefined ? [] : [choice.name]),
          common().order,
          common().placedAt,
          label('party', 'customer'),
          `#${common().quantity}`,
          ...(last === undefined ? [] : [last.name]),
        ]}
      />
      <tbody>
        {orders.map((order) => (
          <tr key={orderHref(order)}>
            {added(choice, order)}
            <th scope="row">
              <a href={orderHref(order)} target={target}>
                {order.number ?? order.orderId}
              </a>{' '}
              <span class="fine">{order.platform}</span>
            </th>
            <td>{order.placedAt !== undefined && <Time at={order.placedAt} />}</td>
            <td class="wrap">
              <CustomerLink {...order} order={order} target={target} />{' '}
              {order.customer?.name !== undefined && <span class="fine">{order.customer.email}</span>}
            </td>
            <td class="number">{order.quantity}</td>
            {added(last, order)}
          </tr>
        ))}
      </tbody>
    </TableWrap>
  );
};

import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { listedReturns } from '../../app/listed.ts';
import { hrefOf, orderHref } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Badge, Money, type Tone } from '../../components/basics.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatDistance } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { type Urgency, urgencyOf } from './filters.ts';
import { selected, type Summary, toggle, toggleAll } from './selection.ts';
import { t } from './texts.ts';

const tones: Readonly<Record<Urgency, Tone>> = { overdue: 'bad', soon: 'warning', later: 'neutral' };

const Deadline = ({ at, now }: { at: string; now: number }) => {
  const urgency = urgencyOf(at, now);
  const distance = formatDistance(at, now);
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}>
      <Badge tone={tones[urgency]}>{urgency === 'overdue' ? fill(t().overdueSince, { distance }) : distance}</Badge>
    </time>
  );
};

const customerOf = ({ customer, customerId }: Summary): ComponentChildren => {
  if (customer?.name !== undefined) return customer.name;
  if (customer?.email !== undefined) return customer.email;
  if (customer?.erased !== undefined) return <span class="fine">{common().erased}</span>;
  return <span class="fine">{customerId}</span>;
};

const Row = ({ item, now, extra }: { item: Summary; now: number; extra?: ComponentChildren }) => {
  const isSelected = useComputed(() => selected.value.has(item.returnId));
  const { order, nextStep, amounts } = item;
  return (
    <tr class={isSelected.value ? 'current' : ''}>
      <td>
        <input
          type="checkbox"
          checked={isSelected.value}
          aria-label={fill(t().selectRow, { rma: item.rmaNumber })}
          onChange={() => toggle(item)}
        />
      </td>
      <th scope="row">
        <a class="mono queue-link" href={hrefOf(`/returns/${item.returnId}`)}>
          {item.rmaNumber}
        </a>
      </th>
      <td>
        <a href={orderHref(order)}>{order.number ?? order.orderId}</a> <span class="fine">{order.platform}</span>
      </td>
      <td class="queue-customer">{customerOf(item)}</td>
      <td>
        <StatusBadge status={item.status} />
      </td>
      <td>{item.refundStatus !== 'none' && <RefundBadge status={item.refundStatus} />}</td>
      <td class="number">{item.quantity}</td>
      <td class="number">{amounts.due.amount !== 0 && <Money of={amounts.due} />}</td>
      <td>{item.dueAt !== undefined && <Deadline at={item.dueAt} now={now} />}</td>
      <td class="queue-next">
        {nextStep !== undefined && (
          <>
            {nextStep.action === 'approve' ? t().decide : label('action', nextStep.action)}{' '}
            <span class="fine">{label('party', nextStep.by)}</span>
          </>
        )}
      </td>
      <td>
        {item.flags.map((flag) => (
          <Badge key={flag} tone="warning">
            {label('flag', flag)}
          </Badge>
        ))}
      </td>
      {extra !== undefined && <td>{extra}</td>}
    </tr>
  );
};

const SelectAll = ({ items }: { items: readonly Summary[] }) => (
  <input
    type="checkbox"
    aria-label={t().selectAll}
    checked={items.length > 0 && items.every(({ returnId }) => selected.value.has(returnId))}
    onChange={() => toggleAll(items)}
  />
);

/** The table of returns. Rows are plain, so that 200 of them appear at once. */
export const ReturnTable = ({
  items,
  matchedBy,
  isBusy = false,
}: {
  items: readonly Summary[];
  /** Why a search found each return, by its id. */
  matchedBy?: ReadonlyMap<string, string>;
  isBusy?: boolean;
}) => {
  const column = t().column;
  const now = Date.now();
  useEffect(() => {
    listedReturns.value = items.map(({ returnId }) => returnId);
  }, [items]);
  return (
    <div class="table-wrap" role="region" aria-label={titles().queue} aria-busy={isBusy} tabIndex={0}>
      <table class="queue-table">
        <thead>
          <tr>
            <th scope="col">
              <SelectAll items={items} />
            </th>
            <th scope="col">{column.rma}</th>
            <th scope="col">{common().order}</th>
            <th scope="col">{label('party', 'customer')}</th>
            <th scope="col">{column.status}</th>
            <th scope="col">{common().refund}</th>
            <th scope="col" class="number">
              {common().quantity}
            </th>
            <th scope="col" class="number">
              {column.due}
            </th>
            <th scope="col">{column.deadline}</th>
            <th scope="col">{column.next}</th>
            <th scope="col">{column.flags}</th>
            {matchedBy !== undefined && <th scope="col">{column.matchedBy}</th>}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row
              key={item.returnId}
              item={item}
              now={now}
              {...(matchedBy !== undefined && { extra: matchedBy.get(item.returnId) ?? '' })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { listedReturns } from '../../app/listed.ts';
import { hrefOf, orderHref } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Badge, Money } from '../../components/basics.tsx';
import { CustomerLink } from '../../components/customer-link.tsx';
import { Deadline } from '../../components/deadline.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';
import { assigneeText, type Users } from '../../components/user-select.tsx';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatDay, formatTime } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { selected, type Summary, toggle, toggleAll } from './selection.ts';
import { t } from './texts.ts';

type NextStep = NonNullable<Summary['nextStep']>;

/** The next step in the words of the person who does it. */
const stepText = ({ action, by }: NextStep): string => {
  const { customer } = t();
  if (by === 'customer' && Object.hasOwn(customer, action)) return customer[action as keyof typeof customer];
  return action === 'approve' ? t().decide : label('action', action);
};

/** Opens a return by a click anywhere in its row. Links, boxes and marked text stay what they are. */
const openRow = ({ target, currentTarget }: { target: EventTarget | null; currentTarget: HTMLElement }): void => {
  if (target instanceof Element && target.closest('a, td:has(input)') !== null) return;
  if (window.getSelection()?.isCollapsed !== false) currentTarget.querySelector<HTMLElement>('.queue-link')?.click();
};

type RowProps = {
  readonly item: Summary;
  readonly items: readonly Summary[];
  readonly users: Users;
  readonly now: number;
  readonly canSelect: boolean;
  readonly extra?: ComponentChildren;
};

const Row = ({ item, items, users, now, canSelect, extra }: RowProps) => {
  const isSelected = useComputed(() => selected.value.has(item.returnId));
  const { order, nextStep, amounts } = item;
  const column = t().column;
  return (
    <tr class={isSelected.value ? 'current' : ''} onClick={openRow}>
      {canSelect && (
        <td>
          <input
            type="checkbox"
            checked={isSelected.value}
            aria-label={fill(t().selectRow, { rma: item.rmaNumber })}
            onClick={(event) => toggle(item, items, event.shiftKey)}
            onMouseDown={(event) => {
              // Otherwise Shift marks the text of the rows between.
              if (event.shiftKey) event.preventDefault();
            }}
          />
        </td>
      )}
      <th scope="row">
        <a class="mono queue-link" href={hrefOf(`/returns/${item.returnId}`)}>
          {item.rmaNumber}
        </a>
      </th>
      <td class="queue-customer">
        <CustomerLink {...item} />
      </td>
      <td>
        <StatusBadge status={item.status} />{' '}
        {item.refundStatus !== 'none' && <RefundBadge status={item.refundStatus} />}
      </td>
      <td class="queue-next">
        {nextStep !== undefined && (
          <>
            {stepText(nextStep)} <span class="fine">{label('party', nextStep.by)}</span>
          </>
        )}
        {item.assignee && <span class="fine"> · {assigneeText(users, item.assignee)}</span>}
      </td>
      <td data-name={column.deadline}>{item.dueAt !== undefined && <Deadline at={item.dueAt} now={now} />}</td>
      <td class="number" data-name={column.due}>
        {amounts.due.amount !== 0 && <Money of={amounts.due} />}
      </td>
      <td data-name={column.requested}>
        <time dateTime={item.requestedAt} title={formatTime(item.requestedAt)}>
          {formatDay(item.requestedAt)}
        </time>
      </td>
      <td data-name={common().order}>
        <a href={orderHref(order)}>{order.number ?? order.orderId}</a> <span class="fine">{order.platform}</span>
      </td>
      <td class="number" data-name={common().quantity}>
        {item.quantity}
      </td>
      <td>
        {item.flags.map((flag) => (
          <Badge key={flag} tone="warning">
            {label('flag', flag)}
          </Badge>
        ))}
      </td>
      {extra !== undefined && <td data-name={column.matchedBy}>{extra}</td>}
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
  users,
  matchedBy,
  isBusy = false,
}: {
  items: readonly Summary[];
  users: Users;
  /** Why a search found each return, by its id. */
  matchedBy?: ReadonlyMap<string, string>;
  isBusy?: boolean;
}) => {
  const column = t().column;
  const now = Date.now();
  useEffect(() => {
    listedReturns.value = items.map(({ returnId }) => returnId);
  }, [items]);
  const canSelect = may('returns:write');
  const columns = [
    column.rma,
    label('party', 'customer'),
    column.status,
    column.next,
    column.deadline,
    `#${column.due}`,
    column.requested,
    common().order,
    `#${common().quantity}`,
    column.flags,
    ...(matchedBy === undefined ? [] : [column.matchedBy]),
  ];
  return (
    <div aria-busy={isBusy}>
      <TableWrap label={titles().queue} tableClass="queue-table">
        <Columns names={columns} first={canSelect && <SelectAll items={items} />} />
        <tbody>
          {items.map((item) => (
            <Row
              key={item.returnId}
              item={item}
              items={items}
              users={users}
              now={now}
              canSelect={canSelect}
              {...(matchedBy !== undefined && { extra: matchedBy.get(item.returnId) ?? '' })}
            />
          ))}
        </tbody>
      </TableWrap>
    </div>
  );
};

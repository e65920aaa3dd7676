import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { listedReturns } from '../../app/listed.ts';
import { hrefOf } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { type Users, useUsers } from '../../app/users.ts';
import { may } from '../../session/session.ts';
import { fill } from '../../texts/fill.ts';
import { shownColumns } from './columns.tsx';
import { selected, type Summary, toggle, toggleAll } from './selection.ts';
import { t } from './texts.ts';

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
      {shownColumns.value.map(({ name, title, cell, className, isNamed }) => (
        <td key={name} {...(className && { class: className })} {...(isNamed && { 'data-name': title() })}>
          {cell(item, { users, now })}
        </td>
      ))}
      {extra !== undefined && <td data-name={t().column.matchedBy}>{extra}</td>}
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
  const users = useUsers();
  useEffect(() => {
    listedReturns.value = items.map(({ returnId }) => returnId);
  }, [items]);
  const canSelect = may('returns:write');
  const columns = [
    column.rma,
    ...shownColumns.value.map(({ title, className }) => `${className === 'number' ? '#' : ''}${title()}`),
    ...(matchedBy === undefined ? [] : [column.matchedBy]),
  ];
  return (
    <div aria-busy={isBusy}>
      {/* It names the cells that need it itself. */}
      <TableWrap label={titles().queue} tableClass="queue-table stacked">
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

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Pages } from '../api/use-pages.ts';
import { common } from '../texts/common.ts';
import { Empty, Loading } from './basics.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** Names each cell by the head of its column, for a page that is too narrow for columns. */
const nameCells = ({ tHead, tBodies: [body] }: HTMLTableElement): void => {
  const names = Array.from(tHead?.rows[0]?.cells ?? [], ({ textContent }) => textContent);
  for (const { cells } of body?.rows ?? [])
    for (const [index, cell] of Array.from(cells).entries())
      if (cell.scope === '' && names[index] !== '') cell.dataset['name'] = names[index];
};

/** A table that scrolls inside its own region, so that the page never scrolls sideways. */
export const TableWrap = ({
  label,
  tableClass,
  isSection = false,
  isStacked = false,
  children,
}: {
  label: string;
  tableClass?: string;
  /** Whether the region has the frame of a section. */
  isSection?: boolean;
  /** Whether each row is a card on a narrow page, with the names of its cells. */
  isStacked?: boolean;
  children: ComponentChildren;
}) => {
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (isStacked && table.current !== null) nameCells(table.current);
  });
  const classes = isStacked ? ['stacked', tableClass].join(' ') : tableClass;
  return (
    <div class={isSection ? 'section table-wrap' : 'table-wrap'} role="region" aria-label={label} tabIndex={0}>
      <table ref={table} class={classes}>
        {children}
      </table>
    </div>
  );
};

/**
 * The heads of the columns. A name with `#` before it heads numbers. A column of buttons has an empty name.
 * `first` stands before all others, such as a box that selects every row.
 */
export const Columns = ({ names, first }: { names: readonly string[]; first?: ComponentChildren }) => (
  <thead>
    <tr>
      {first && <th scope="col">{first}</th>}
      {names.map((name) =>
        name === '' ? (
          <td key={name} />
        ) : name.startsWith('#') ? (
          <th key={name} scope="col" class="number">
            {name.slice(1)}
          </th>
        ) : (
          <th key={name} scope="col">
            {name}
          </th>
        ),
      )}
    </tr>
  </thead>
);

/** Why a list or its next page could not be read. */
export const PageProblem = ({ of: { problem, retry } }: { of: Pages<unknown> }) =>
  problem === undefined ? null : <ProblemNotice problem={problem} onRetry={retry} />;

/** What follows the items of a list: that it is being read, or the button for the next page. */
export const PageEnd = ({ of }: { of: Pages<unknown> }) => (
  <>
    {of.items === undefined && of.problem === undefined && <Loading />}
    {of.hasMore && (
      <p class="more">
        <button type="button" aria-disabled={of.isLoading} onClick={of.loadMore}>
          {of.isLoading ? `${common().loading}…` : common().loadMore}
        </button>
      </p>
    )}
  </>
);

/** A list that is read page by page, as a table. */
export const PageTable = <Each,>({
  of,
  label,
  columns,
  row,
  empty,
}: {
  of: Pages<Each>;
  label: string;
  columns: readonly string[];
  /** Returns a row of the table, with a key. */
  row: (item: Each) => ComponentChildren;
  empty?: string;
}) => (
  <div aria-busy={of.isLoading}>
    <PageProblem of={of} />
    {of.items?.length === 0 && !of.isLoading && !of.hasMore && <Empty>{empty}</Empty>}
    {of.items !== undefined && of.items.length > 0 && (
      <TableWrap label={label} isStacked>
        <Columns names={columns} />
        <tbody>{of.items.map(row)}</tbody>
      </TableWrap>
    )}
    <PageEnd of={of} />
  </div>
);

import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { common } from '../texts/common.ts';
import { Empty, Loading } from './basics.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** A table that scrolls inside its own region, so that the page never scrolls sideways. */
export const TableWrap = ({
  label,
  tableClass,
  isSection = false,
  children,
}: {
  label: string;
  tableClass?: string;
  /** Whether the region has the frame of a section. */
  isSection?: boolean;
  children: ComponentChildren;
}) => (
  <div class={isSection ? 'section table-wrap' : 'table-wrap'} role="region" aria-label={label} tabIndex={0}>
    <table class={tableClass}>{children}</table>
  </div>
);

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
      <TableWrap label={label}>
        <Columns names={columns} />
        <tbody>{of.items.map(row)}</tbody>
      </TableWrap>
    )}
    <PageEnd of={of} />
  </div>
);

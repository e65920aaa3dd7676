import { useEffect, useRef, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { listReturns } from '../../../contract/operations.ts';
import { views } from '../../../contract/returns/closed-lists.ts';
import { me } from '../../../contract/users/me.ts';
import { isPersonal } from '../../api/search.ts';
import { usePages } from '../../api/use-pages.ts';
import { countAlerts, viewCounts } from '../../app/alerts.ts';
import { hrefOf, kept, query, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { useTitle } from '../../app/title.ts';
import { useRefresh } from '../../app/use-refresh.ts';
import { Empty } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { knowsMe } from '../../components/user-select.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatNumber } from '../../texts/format.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChoice } from './columns.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { enoughRows, hasFilters, queryOf } from './filters.ts';
import { Keys } from './keys.tsx';
import { OwnViews } from './own-views.tsx';
import { ReturnTable } from './return-table.tsx';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';
import { clearSelection } from './selection.ts';
import { t } from './texts.ts';

type Count = Output<'countViews'>['views'][number];

const urgent = new Set(['overdue', 'refund_unknown', 'discrepancies']);

const CountText = ({ of }: { of: Count }) => {
  const text = `${formatNumber(of.count)}${of.capped ? '+' : ''}`;
  const tone = of.count > 0 && urgent.has(of.name) ? 'badge-bad' : '';
  return (
    <span class={`badge ${tone}`} {...(of.capped && { title: fill(t().atLeast, { count: formatNumber(of.count) }) })}>
      {text}
    </span>
  );
};

/** The returns that wait for the person at the screen. */
const isMine = (address: URLSearchParams): boolean =>
  address.get('assignee') === me && address.get('status') === 'open';

const viewNow = () => views.find((view) => view === query.value.get('view')) ?? (isMine(query.value) ? 'mine' : 'all');

const addressOf = (view: ReturnType<typeof viewNow>): string => {
  if (view === 'all') return '/';
  return view === 'mine' ? `/?assignee=${me}&status=open` : `/?view=${view}`;
};

/** The saved views as tabs with the number of their returns. A tab is a link, so a view can be opened in a new window. */
const ViewTabs = ({ counts }: { counts: readonly Count[] | undefined }) => {
  const current = viewNow();
  return (
    <nav class="tabs queue-tabs" aria-label={t().views}>
      {(['all', ...(knowsMe ? (['mine'] as const) : []), ...views] as const).map((view) => {
        const count = counts?.find(({ name }) => name === view);
        return (
          <a key={view} href={hrefOf(addressOf(view))} {...(view === current && { 'aria-current': 'page' as const })}>
            {t().view[view]} {count !== undefined && <CountText of={count} />}
          </a>
        );
      })}
    </nav>
  );
};

/** A longer list is read again when the person asks for it. */
const refreshedRows = 100;

const List = ({ round, onChanged }: { round: number; onChanged: () => void }) => {
  const address = query.value;
  const pages = usePages(listReturns, queryOf(address), { enough: enoughRows, round });
  const { items = [], isLoading, hasMore } = pages;
  useRefresh(() => {
    if (!isLoading && items.length <= refreshedRows) pages.reload();
  });
  const isEmpty = pages.items?.length === 0 && !isLoading && !hasMore;
  return (
    <>
      <FilterBar platforms={new Set(items.map(({ order }) => order.platform))} />
      <BulkBar onDone={onChanged} />
      <PageProblem of={pages} />
      {items.length > 0 && <ReturnTable items={items} isBusy={isLoading} />}
      {isEmpty && <Empty>{hasFilters(address) || !address.has('view') ? t().nothing : t().nothingDo}</Empty>}
      <div class="row queue-end">
        <PageEnd of={pages} />
        {items.length > 0 && <ExportButton />}
        {items.length > 0 && (
          <span class="fine" role="status">
            {fill(t().shown, { count: items.length })}. {hasMore ? t().more : t().end}
          </span>
        )}
      </div>
    </>
  );
};

/** Shows what a text leads to. A name or an address of a customer stays out of the address. */
const search = (text: string): void =>
  isPersonal(text) ? setQuery({ q: undefined }, { keep: { search: text } }) : setQuery({ q: text });

/** The work queue: saved views, search, filters, the table, keys and bulk commands. */
export const Screen = () => {
  const field = useRef<HTMLInputElement>(null);
  const [round, setRound] = useState(0);
  const reference = query.value.get('q');
  // A search for a person is in the history of the tab, never in the address.
  const personal = kept.value['search'] as string | undefined;
  const searched = personal ?? reference ?? '';
  useTitle(() => (reference === null ? t().view[viewNow()] : fill(t().search.results, { text: reference })));
  const reload = () => {
    setRound((before) => before + 1);
    void countAlerts();
  };
  // A selection of rows that are no longer shown would surprise.
  useEffect(() => clearSelection, [query.value.toString(), personal]);
  // Back shows another search, or none.
  useEffect(() => {
    if (field.current !== null) field.current.value = searched;
  }, [searched]);
  return (
    <>
      <div class="screen-head">
        <h1>{titles().queue}</h1>
        <SearchBox field={field} text={searched} onSearch={search} />
        <div class="actions">
          <ColumnChoice />
          <button type="button" onClick={reload}>
            {common().reload}
          </button>
          <Keys onSearch={() => field.current?.focus()} />
        </div>
      </div>
      {searched !== '' ? (
        <section class="section">
          <header class="section-head">
            <h2>{fill(t().search.results, { text: searched })}</h2>
            <button type="button" onClick={() => search('')}>
              {t().search.clear}
            </button>
          </header>
          <BulkBar onDone={reload} />
          <Results key={round} text={searched} />
        </section>
      ) : (
        <section class="section">
          <ViewTabs counts={viewCounts.value?.views} />
          <OwnViews />
          <List round={round} onChanged={reload} />
        </section>
      )}
    </>
  );
};

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { countViews, findReturns, listReturns, searchCustomers } from '../../../contract/operations.ts';
import { views } from '../../../contract/returns/closed-lists.ts';
import { useCall } from '../../api/use-call.ts';
import { usePages } from '../../api/use-pages.ts';
import { hrefOf, kept, query, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { useTitle } from '../../app/title.ts';
import { useRefresh } from '../../app/use-refresh.ts';
import { Empty } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatNumber } from '../../texts/format.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { enoughRows, hasFilters, queryOf } from './filters.ts';
import { Keys } from './keys.tsx';
import { ReturnTable } from './return-table.tsx';
import { type CustomerQuery, SearchBox } from './search-box.tsx';
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

const viewNow = () => views.find((view) => view === query.value.get('view')) ?? 'all';

/** The saved views as tabs with the number of their returns. A tab is a link, so a view can be opened in a new window. */
const ViewTabs = ({ counts }: { counts: readonly Count[] | undefined }) => {
  const current = viewNow();
  return (
    <nav class="tabs queue-tabs" aria-label={t().views}>
      {(['all', ...views] as const).map((view) => {
        const count = counts?.find(({ name }) => name === view);
        return (
          <a
            key={view}
            href={hrefOf(view === 'all' ? '/' : `/?view=${view}`)}
            {...(view === current && { 'aria-current': 'page' as const })}
          >
            {t().view[view]} {count !== undefined && <CountText of={count} />}
          </a>
        );
      })}
    </nav>
  );
};

/** The returns that a number leads to. */
const FoundByNumber = ({ reference }: { reference: string }) => {
  const found = useCall(findReturns, { reference });
  const text = t().search;
  return (
    <Resource of={found}>
      {({ items, more }) =>
        items.length === 0 ? (
          <Empty>{text.nothing}</Empty>
        ) : (
          <>
            <ReturnTable
              items={items.map((item) => item.return)}
              matchedBy={new Map(items.map((item) => [item.return.returnId, text.matched[item.matchedBy]]))}
              isBusy={found.isLoading}
            />
            {more && <p class="fine">{text.tooMany}</p>}
          </>
        )
      }
    </Resource>
  );
};

const pageSize = 50;

/** The returns of the customers with an address or a name. */
const FoundByCustomer = ({ customer }: { customer: CustomerQuery }) => {
  const pages = usePages(searchCustomers, { ...customer, limit: pageSize }, { enough: enoughRows });
  const { items = [], isLoading } = pages;
  return (
    <>
      <p class="fine">{t().search.exact}</p>
      <PageProblem of={pages} />
      {items.length > 0 && <ReturnTable items={items} isBusy={isLoading} />}
      {pages.items?.length === 0 && !isLoading && !pages.hasMore && <Empty>{t().search.nothing}</Empty>}
      <PageEnd of={pages} />
    </>
  );
};

const List = ({ round, onChanged }: { round: number; onChanged: () => void }) => {
  const address = query.value;
  const pages = usePages(listReturns, queryOf(address), { enough: enoughRows, round });
  const { items = [], isLoading, hasMore } = pages;
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
        {items.length > 0 && (
          <span class="fine" role="status">
            {fill(t().shown, { count: items.length })}. {hasMore ? t().more : t().end}
          </span>
        )}
      </div>
    </>
  );
};

/** The work queue: saved views, search, filters, the table, keys and bulk commands. */
export const Screen = () => {
  const field = useRef<HTMLInputElement>(null);
  const [round, setRound] = useState(0);
  const counts = useCall(countViews, {});
  const reference = query.value.get('q');
  // A search for a person is in the history of the tab, never in the address.
  const customer = kept.value['customer'] as CustomerQuery | undefined;
  const searched = customer === undefined ? (reference ?? undefined) : Object.values(customer)[0];
  const isSearch = searched !== undefined;
  useTitle(() => (reference === null ? t().view[viewNow()] : fill(t().search.results, { text: reference })));
  const reload = () => {
    setRound((before) => before + 1);
    counts.reload();
  };
  useRefresh(counts.reload);
  // A selection of rows that are no longer shown would surprise.
  useEffect(() => clearSelection, [query.value.toString(), customer]);
  // Back shows another search, or none.
  useEffect(() => {
    if (field.current !== null) field.current.value = searched ?? '';
  }, [searched]);
  return (
    <>
      <div class="screen-head">
        <h1>{titles().queue}</h1>
        <SearchBox field={field} onCustomer={(of) => setQuery({ q: undefined }, { keep: { customer: of } })} />
        <div class="actions">
          <button type="button" onClick={reload}>
            {common().reload}
          </button>
          <Keys onSearch={() => field.current?.focus()} />
        </div>
      </div>
      {isSearch ? (
        <section class="section">
          <header class="section-head">
            <h2>
              {customer === undefined
                ? fill(t().search.results, { text: reference ?? '' })
                : t().search.customerResults}
            </h2>
            <button type="button" onClick={() => setQuery({ q: undefined })}>
              {t().search.clear}
            </button>
          </header>
          <BulkBar onDone={reload} />
          {customer === undefined ? (
            <FoundByNumber key={round} reference={reference ?? ''} />
          ) : (
            <FoundByCustomer key={round} customer={customer} />
          )}
        </section>
      ) : (
        <section class="section">
          <ViewTabs counts={counts.value?.views} />
          <List round={round} onChanged={reload} />
        </section>
      )}
    </>
  );
};

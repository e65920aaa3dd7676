import { views } from '../../../contract/returns/closed-lists.ts';
import type { Output } from '../../../contract/contract.ts';
import { hrefOf, query } from '../../app/router.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

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

/** The saved views as tabs with the number of their returns. A tab is a link, so a view can be opened in a new window. */
export const ViewTabs = ({ counts }: { counts: readonly Count[] | undefined }) => {
  const current = query.value.get('view') ?? 'all';
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

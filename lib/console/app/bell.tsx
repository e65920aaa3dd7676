import { fill } from '../texts/fill.ts';
import { formatNumber } from '../texts/format.ts';
import { type Alert, parked, useAlerts, viewCounts } from './alerts.ts';
import { hrefOf } from './router.ts';
import { t } from './texts.ts';

/** The views with returns that must not wait. */
const urgentViews = ['overdue', 'refund_unknown'] as const;

const numberOf = ({ count, capped }: Alert): string => `${formatNumber(count)}${capped ? '+' : ''}`;

/** What is overdue or parked, in the head of every screen, with a link to each list. */
export const Bell = () => {
  useAlerts();
  const { intents, deliveries } = parked.value;
  const alerts = [
    ...urgentViews.map((view) => ({
      to: `/?view=${view}`,
      text: t().bell[view],
      alert: viewCounts.value?.views.find(({ name }) => name === view),
    })),
    { to: '/write-back?status=parked', text: t().bell.intents, alert: intents },
    { to: '/inbox?status=parked', text: t().bell.deliveries, alert: deliveries },
  ].flatMap(({ alert, ...entry }) => (alert === undefined || alert.count === 0 ? [] : [{ ...entry, alert }]));
  const all = {
    count: alerts.reduce((total, { alert }) => total + alert.count, 0),
    capped: alerts.some(({ alert }) => alert.capped),
  };
  return (
    <details class="bell">
      <summary aria-label={fill(t().bell.title, { count: numberOf(all) })}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path fill="currentColor" d="M8 1a4 4 0 0 0-4 4v3L2 11v1h12v-1l-2-3V5a4 4 0 0 0-4-4M6 13a2 2 0 0 0 4 0z" />
        </svg>
        {all.count > 0 && <span class="badge badge-bad">{numberOf(all)}</span>}
      </summary>
      <div class="account-menu">
        {alerts.length === 0 && <p>{t().bell.nothing}</p>}
        {alerts.map(({ to, text, alert }) => (
          <a key={to} href={hrefOf(to)}>
            {text} <span class="badge badge-bad">{numberOf(alert)}</span>
          </a>
        ))}
      </div>
    </details>
  );
};

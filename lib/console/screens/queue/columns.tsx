import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Users, userText } from '../../app/users.ts';
import { Badge, Money } from '../../components/basics.tsx';
import { CustomerLink } from '../../components/customer-link.tsx';
import { Deadline } from '../../components/deadline.tsx';
import { OrderLink } from '../../components/order-link.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';
import { session } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { formatDay, formatTime } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import type { Summary } from './selection.ts';
import { t } from './texts.ts';

/* The columns of the queue, and which of them a person sees. The RMA number is always there: it leads to the return. */

type NextStep = NonNullable<Summary['nextStep']>;

/** The next step in the words of the person who does it. */
const stepText = ({ action, by }: NextStep): string => {
  const { customer } = t();
  if (by === 'customer' && Object.hasOwn(customer, action)) return customer[action as keyof typeof customer];
  return action === 'approve' ? t().decide : label('action', action);
};

/** What the cells of all rows have in common. */
type Context = { readonly users: Users; readonly now: number };

type Column = {
  readonly title: () => string;
  readonly cell: (item: Summary, context: Context) => ComponentChildren;
  readonly className?: 'number' | 'queue-customer' | 'queue-next';
  /** Whether a card of a narrow screen shows the title. */
  readonly isNamed?: true;
  /** Whether it is shown to a person who has chosen no columns. */
  readonly isUsual: boolean;
};

const columns = {
  customer: {
    title: () => label('party', 'customer'),
    cell: (item) => <CustomerLink {...item} />,
    className: 'queue-customer',
    isUsual: true,
  },
  status: {
    title: () => common().status,
    cell: ({ status, refundStatus }) => (
      <>
        <StatusBadge status={status} /> {refundStatus !== 'none' && <RefundBadge status={refundStatus} />}
      </>
    ),
    isUsual: true,
  },
  next: {
    title: () => t().column.next,
    cell: ({ nextStep, assignee }, { users }) => (
      <>
        {nextStep !== undefined && (
          <>
            {stepText(nextStep)} <span class="fine">{label('party', nextStep.by)}</span>
          </>
        )}
        {assignee && <span class="fine"> · {userText(users, assignee.id)}</span>}
      </>
    ),
    className: 'queue-next',
    isUsual: true,
  },
  deadline: {
    title: () => t().column.deadline,
    cell: ({ dueAt }, { now }) => dueAt !== undefined && <Deadline at={dueAt} now={now} />,
    isNamed: true,
    isUsual: true,
  },
  due: {
    title: () => t().column.due,
    cell: ({ amounts }) => amounts.due.amount !== 0 && <Money of={amounts.due} />,
    className: 'number',
    isNamed: true,
    isUsual: true,
  },
  worth: {
    title: () => t().column.worth,
    cell: ({ amounts }) => <Money of={amounts.worth} />,
    className: 'number',
    isNamed: true,
    isUsual: false,
  },
  requested: {
    title: () => t().column.requested,
    cell: ({ requestedAt }) => (
      <time dateTime={requestedAt} title={formatTime(requestedAt)}>
        {formatDay(requestedAt)}
      </time>
    ),
    isNamed: true,
    isUsual: true,
  },
  order: {
    title: () => common().order,
    cell: ({ order }) => <OrderLink of={order} />,
    isNamed: true,
    isUsual: true,
  },
  skus: { title: () => 'SKU', cell: ({ skus }) => skus.join(', '), isNamed: true, isUsual: false },
  quantity: {
    title: () => common().quantity,
    cell: ({ quantity }) => quantity,
    className: 'number',
    isNamed: true,
    isUsual: true,
  },
  flags: {
    title: () => t().column.flags,
    cell: ({ flags }) =>
      flags.map((flag) => (
        <Badge key={flag} tone="warning">
          {label('flag', flag)}
        </Badge>
      )),
    isUsual: true,
  },
} as const satisfies Readonly<Record<string, Column>>;

type ColumnName = keyof typeof columns;

const names = Object.keys(columns) as readonly ColumnName[];

const columnOf = (name: ColumnName): Column => columns[name];

const storageKey = (): string => `returns-columns-${session.peek()?.subject ?? ''}`;

const stored = (): readonly ColumnName[] | undefined => {
  const words = localStorage.getItem(storageKey())?.split(',');
  return words && names.filter((name) => words.includes(name));
};

/** The columns of this visit. Undefined before the first choice: then the stored ones are shown. */
const chosen = signal<readonly ColumnName[] | undefined>(undefined);

const shownNames = computed(() => chosen.value ?? stored() ?? names.filter((name) => columnOf(name).isUsual));

/** The shown columns, in their order. */
export const shownColumns = computed(() => shownNames.value.map((name) => ({ name, ...columnOf(name) })));

const toggleColumn = (name: ColumnName): void => {
  const shown = new Set(shownNames.value);
  if (!shown.delete(name)) shown.add(name);
  chosen.value = names.filter((shownName) => shown.has(shownName));
  // This browser holds the names of the columns.
  localStorage.setItem(storageKey(), chosen.value.join(','));
};

/** Chooses the columns of the queue, for this person in this browser. */
export const ColumnChoice = () => (
  <details class="queue-columns">
    <summary class="button">{t().columns}</summary>
    <div class="account-menu">
      {names.map((name) => (
        <label key={name} class="queue-check">
          <input type="checkbox" checked={shownNames.value.includes(name)} onChange={() => toggleColumn(name)} />
          {columnOf(name).title()}
        </label>
      ))}
    </div>
  </details>
);

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Output } from '../../contract/contract.ts';
import { countViews, listInboxDeliveries, listIntents } from '../../contract/operations.ts';
import { call } from '../api/call.ts';
import { may } from '../session/session.ts';
import { useRefresh } from './use-refresh.ts';

/** The numbers of the saved views. The queue shows them all, the bell those that must not wait. */
export const viewCounts = signal<Output<'countViews'> | undefined>(undefined);

/** A number of things. With `capped` there may be more. */
export type Alert = { readonly count: number; readonly capped: boolean };

type Parked = { readonly intents?: Alert; readonly deliveries?: Alert };

/** What is parked for people: requests to shops, and deliveries of shops. A person sees what the scopes allow. */
export const parked = signal<Parked>({});

const pageSize = 50;

const alertOf = ({ items, nextCursor }: { items: readonly unknown[]; nextCursor: string | null }): Alert => ({
  count: items.length,
  capped: nextCursor !== null,
});

/** Counts again what the bell shows. A number that cannot be read stays as it is. */
export const countAlerts = async (): Promise<void> => {
  const query = { status: 'parked', limit: pageSize } as const;
  const [counts, intents, deliveries] = await Promise.all([
    call(countViews, {}),
    call(listIntents, query),
    may('returns:admin') ? call(listInboxDeliveries, query) : undefined,
  ]);
  if (counts.ok) viewCounts.value = counts.value;
  parked.value = {
    ...parked.value,
    ...(intents.ok && { intents: alertOf(intents.value) }),
    ...(deliveries?.ok === true && { deliveries: alertOf(deliveries.value) }),
  };
};

/** Nothing that the bell shows changes in seconds, and a count reads up to 5,000 returns. */
const periodMs = 120_000;

/** Counts at once, and again while the person sees the page. */
export const useAlerts = (): void => {
  useEffect(() => void countAlerts(), []);
  useRefresh(() => void countAlerts(), periodMs);
};

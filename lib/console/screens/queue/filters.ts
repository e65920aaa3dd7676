import type { Input } from '../../../contract/contract.ts';
import { flags, parties, sorts, views } from '../../../contract/returns/closed-lists.ts';

type Query = Input<'listReturns'>;

/** The names of the filters in the address. */
export const filterNames = ['status', 'platform', 'flag', 'nextBy', 'assignee', 'reason', 'overdue', 'sort'] as const;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

/** The sort of a list without a chosen one. A view is a list of work: the first deadline is first. */
export const defaultSort = (address: URLSearchParams): NonNullable<Query['sort']> =>
  oneOf(views, address.get('view')) === undefined ? 'createdAt' : 'dueAt';

/** The value of the filter of assignees for returns without one. */
export const unassigned = '-';

const pageSize = 50;

/** A page can be short although another one exists. So many rows fill the screen. */
export const enoughRows = 25;

/** Returns the request of the list for an address. An unknown value of the address has no effect. */
export const queryOf = (address: URLSearchParams): Query => {
  const status = address.get('status');
  const view = oneOf(views, address.get('view'));
  const flag = oneOf(flags, address.get('flag'));
  const nextBy = oneOf(parties, address.get('nextBy'));
  const sort = oneOf(sorts, address.get('sort')) ?? defaultSort(address);
  const platform = address.get('platform');
  const reason = address.get('reason');
  const assignee = address.get('assignee');
  return {
    ...(status === 'open' && { open: true }),
    ...(status !== null && status !== 'open' && { status }),
    ...(view !== undefined && { view }),
    ...(flag !== undefined && { flag }),
    ...(nextBy !== undefined && { nextBy }),
    ...(platform !== null && { platform }),
    ...(assignee !== null && (assignee === unassigned ? { assigned: false } : { assignee })),
    ...(reason !== null && { reason }),
    ...(address.get('overdue') === 'true' && { overdue: true }),
    sort,
    include: 'customer',
    limit: pageSize,
  };
};

/** Whether an address has filters besides the view. */
export const hasFilters = (address: URLSearchParams): boolean => filterNames.some((name) => address.has(name));

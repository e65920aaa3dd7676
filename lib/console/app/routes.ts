import type { ComponentType } from 'preact';
import type { Scope } from '../../contract/operation.ts';
import type { ScreenProps } from './screen-props.ts';
import { t } from './texts.ts';

type ScreenModule = { readonly Screen: ComponentType<ScreenProps> };

/** A screen: its address, its file, and its place in the navigation. */
export type Route = {
  /** The first part of the path. */
  readonly screen: string;
  readonly title: () => string;
  /** Each screen is a file of its own, which the browser loads when a person opens it. */
  readonly load: () => Promise<ScreenModule>;
  readonly inNavigation: boolean;
  readonly scope: Scope;
};

export const routes: readonly Route[] = [
  {
    screen: '',
    title: () => t().titles.queue,
    load: async () => import('../screens/queue/queue.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'returns',
    title: () => t().titles.returns,
    load: async () => import('../screens/return/return.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'station',
    title: () => t().titles.station,
    load: async () => import('../screens/station/station.tsx'),
    inNavigation: true,
    scope: 'returns:write',
  },
  {
    screen: 'order',
    title: () => t().titles.order,
    load: async () => import('../screens/order/order.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'policies',
    title: () => t().titles.policies,
    load: async () => import('../screens/policies/policies.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'decisions',
    title: () => t().titles.decisions,
    load: async () => import('../screens/decision/decision.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'history',
    title: () => t().titles.history,
    load: async () => import('../screens/history/history.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'withdrawals',
    title: () => t().titles.withdrawals,
    load: async () => import('../screens/withdrawals/withdrawals.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'inbox',
    title: () => t().titles.inbox,
    load: async () => import('../screens/inbox/inbox.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'write-back',
    title: () => t().titles.writeBack,
    load: async () => import('../screens/write-back/write-back.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'endpoints',
    title: () => t().titles.endpoints,
    load: async () => import('../screens/endpoints/endpoints.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'figures',
    title: () => t().titles.figures,
    load: async () => import('../screens/figures/figures.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'health',
    title: () => t().titles.health,
    load: async () => import('../screens/health/health.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
];

export type Found = { readonly route: Route; readonly id: string; readonly part: string };

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Returns the screen of a path below `/console`. */
export const findRoute = (path: string): Found | undefined => {
  const [, screen = '', id = '', part = '', ...more] = path.split('/');
  const route = routes.find((candidate) => candidate.screen === screen);
  return route === undefined || more.length > 0 ? undefined : { route, id: decoded(id), part: decoded(part) };
};

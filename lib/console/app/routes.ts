import type { ComponentType } from 'preact';
import type { Scope } from '../../contract/operation.ts';
import { texts } from '../texts/language.ts';

/** What a screen gets of its address. */
export type ScreenProps = { readonly id: string; readonly part: string };

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

const titles = texts(
  {
    queue: 'Returns',
    returns: 'Return',
    station: 'Station',
    order: 'Order',
    policies: 'Policies',
    decisions: 'Decision',
    history: 'History',
    withdrawals: 'Withdrawals',
    inbox: 'Inbox',
    endpoints: 'Endpoints',
    figures: 'Figures',
    health: 'Health',
  },
  {
    queue: 'Devoluções',
    returns: 'Devolução',
    station: 'Bancada',
    order: 'Encomenda',
    policies: 'Políticas',
    decisions: 'Decisão',
    history: 'Histórico',
    withdrawals: 'Retratações',
    inbox: 'Entrada',
    endpoints: 'Destinos',
    figures: 'Números',
    health: 'Saúde',
  },
  { order: 'Pedido', withdrawals: 'Arrependimentos' },
);

export const routes: readonly Route[] = [
  {
    screen: '',
    title: () => titles().queue,
    load: async () => import('../screens/queue/queue.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'returns',
    title: () => titles().returns,
    load: async () => import('../screens/return/return.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'station',
    title: () => titles().station,
    load: async () => import('../screens/station/station.tsx'),
    inNavigation: true,
    scope: 'returns:write',
  },
  {
    screen: 'order',
    title: () => titles().order,
    load: async () => import('../screens/order/order.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'policies',
    title: () => titles().policies,
    load: async () => import('../screens/policies/policies.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'decisions',
    title: () => titles().decisions,
    load: async () => import('../screens/decision/decision.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'history',
    title: () => titles().history,
    load: async () => import('../screens/history/history.tsx'),
    inNavigation: false,
    scope: 'returns:read',
  },
  {
    screen: 'withdrawals',
    title: () => titles().withdrawals,
    load: async () => import('../screens/withdrawals/withdrawals.tsx'),
    inNavigation: true,
    scope: 'returns:read',
  },
  {
    screen: 'inbox',
    title: () => titles().inbox,
    load: async () => import('../screens/inbox/inbox.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'endpoints',
    title: () => titles().endpoints,
    load: async () => import('../screens/endpoints/endpoints.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'figures',
    title: () => titles().figures,
    load: async () => import('../screens/figures/figures.tsx'),
    inNavigation: true,
    scope: 'returns:admin',
  },
  {
    screen: 'health',
    title: () => titles().health,
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
  const route = routes.find((each) => each.screen === screen);
  return route === undefined || more.length > 0 ? undefined : { route, id: decoded(id), part: decoded(part) };
};

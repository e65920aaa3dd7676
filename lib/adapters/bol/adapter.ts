import type { Adapter } from '../adapter.ts';
import { path } from '../path.ts';
import { findInspected, inspect, read } from './inspect.ts';
import { listReturns } from './list-returns.ts';
import { get } from './requests.ts';
import { returnOf, type State } from './return-parts.ts';

type Offered = 'getReturn' | 'listReturns' | 'inspect';

/** Whether the body says that a request failed that the service had taken. */
const isFailed = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'FAILURE';

export const adapter: Adapter<State, Offered> = {
  name: 'bol',
  title: 'the retailer API of bol, version 10',
  parameters: {
    ServicePath: '/',
    TokenPath: '/token',
    TokenLifetime: '299',
    ServiceScopes: 'returns:read=RETAILER,returns:write=RETAILER,returns:admin=RETAILER,returns:search=RETAILER',
  },
  states: {
    OPEN: 'approved',
    PARTLY_HANDLED: 'partially_received',
    PROCESSING: 'inspected',
    HANDLED: 'completed',
    CANCELLED: 'cancelled',
  },
  otherwise: 'approved',
  failures: { 404: 'return_not_found', 409: 'invalid_transition' },
  errorIn: ({ body }) => (isFailed(body) ? 'FAILURE' : undefined),
  probe: ({ send }) => send(get(path`/retailer/returns`, { handled: false, page: 1 })),
  operations: {
    getReturn: {
      accepts: [],
      run: async ({ returnId }, service) => returnOf(await read(returnId, service)),
    },
    listReturns: { accepts: ['limit', 'cursor'], run: listReturns },
    inspect: {
      accepts: ['lines', 'lines.lineId', 'lines.quantity', 'lines.outcome', 'lines.disposition'],
      repeat: { rule: 'read first', find: findInspected },
      run: inspect,
    },
  },
};

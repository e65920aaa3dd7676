import { reading } from '../operation.ts';

/* The operations that tell of all returns together, as lib/contract/operations.ts has those on one. */

export const getSummary = /* @__PURE__ */ reading({
  name: 'getSummary',
  summary: 'Count returns as they are now',
  path: '/summary',
  scope: 'returns:admin',
  query: [],
  refusals: [],
});

export const getAnalytics = /* @__PURE__ */ reading({
  name: 'getAnalytics',
  summary: 'Sum up returns by what they are told apart by',
  path: '/analytics',
  scope: 'returns:admin',
  query: ['groupBy', 'requestedFrom', 'requestedTo', 'sort', 'limit'],
  refusals: [],
});

import { reading } from '../operation.ts';

/* The operation that tells what happened, as lib/contract/operations.ts has those on returns. */

export const listEvents = /* @__PURE__ */ reading({
  name: 'listEvents',
  summary: 'Read what happened, each event once',
  path: '/events',
  scope: 'returns:read',
  query: ['start', 'limit', 'cursor'],
  refusals: ['invalid_cursor', 'cursor_expired'],
});

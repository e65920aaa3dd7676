import * as operations from '../../../lib/contract/operations.ts';
import { bareRequest, connectedPeers, ours, type Candidate } from '../candidates.ts';
import { eventOf } from '../requests.ts';

export const floor: Candidate = bareRequest;
export const own: Candidate = ours('connected', 'getReturn');
const shares = { SHARED_READ_TOKEN_ID: 'returns/shared-read-token', SHARED_TOKEN_MINUTES: '5' };
/** Our function with one function that obtains the tokens of all containers. It is off by default. */
export const sharing: Candidate = { ...own, name: 'ours, shared token', environment: shares };
/** The function that obtains these tokens. */
export const refresher: Candidate = { ...ours('connected', 'refreshToken'), environment: shares };
/** The candidates that obtain their own tokens. */
export const askers: readonly Candidate[] = [own, ...connectedPeers];

/** The event for every candidate. */
export const event = eventOf(operations.getReturn, { path: { returnId: 'ret_01KAJ3Y7M4TQ0W2S6D8F1HZGXQ' } });

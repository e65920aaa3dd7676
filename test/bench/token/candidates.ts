import * as operations from '../../../lib/contract/operations.ts';
import { bareRequest, connectedPeers, ours, peer, type Candidate } from '../candidates.ts';
import { eventOf } from '../requests.ts';

const operation = 'getReturn';

export const floor: Candidate = bareRequest(operation);
export const own: Candidate = ours('connected', operation);
const shares = { SHARED_READ_TOKEN_ID: 'returns/shared-read-token', SHARED_TOKEN_MINUTES: '5' };
/** The same where one function obtains the tokens of all containers, which is off unless it is deployed so. */
export const sharing: Candidate = { ...own, name: 'ours, shared token', environment: shares };
/** What obtains those. */
export const refresher: Candidate = { ...ours('connected', 'refreshToken'), environment: shares };
export const peers: readonly Candidate[] = connectedPeers(operation);
/** Answers and does nothing: what Node itself takes. */
export const empty: Candidate = peer('empty', operation);

/** What every candidate is asked. */
export const event = eventOf(operations.getReturn, { path: { returnId: 'ret_01KAJ3Y7M4TQ0W2S6D8F1HZGXQ' } });

import * as operations from '../../../lib/contract/operations.ts';
import { bareRequest, connectedPeers, ours, peer, type Candidate } from '../candidates.ts';
import { eventOf } from '../requests.ts';

const operation = 'getReturn';

export const floor: Candidate = bareRequest(operation);
export const own: Candidate = ours('connected', operation);
export const peers: readonly Candidate[] = connectedPeers(operation);
/** Answers and does nothing: what Node itself takes. */
export const empty: Candidate = peer('empty', operation);

/** What every candidate is asked. */
export const event = eventOf(operations.getReturn, { path: { returnId: 'ret_01KAJ3Y7M4TQ0W2S6D8F1HZGXQ' } });

import { bareRequest, connectedPeers, ours, type Candidate } from '../candidates.ts';

const operation = 'getReturn';

export const floor: Candidate = bareRequest(operation);
export const own: Candidate = ours('connected', operation);
export const peers: readonly Candidate[] = connectedPeers(operation);

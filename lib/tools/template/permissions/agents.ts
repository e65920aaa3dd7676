import type { Permission } from './permission.ts';
import { getItem, transact, update } from './table.ts';

/** Serves agents: it stores what they rehearse, and counts what they send. It reaches no return, secret or function. */
export const serveAgents: readonly Permission[] = [getItem('AGENT#*'), transact('AGENT#*'), update('AGENTLIMIT#*')];

import type { Command, Scope } from './states.ts';
import type { Blocker } from './blocker.ts';

export type AllowedAction = {
  readonly action: Command;
  /** The least scope with which a request of it succeeds. */
  readonly scope: Scope;
  readonly allowed: boolean;
  /** Why no request of it succeeds now. */
  readonly blockedBy?: Blocker['code'];
  /** What a request of that scope has to override; absent for nothing. */
  readonly overrides?: Override[];
};
/** What a request has to override, as a code. */
export type Override = 'evidence_required' | 'not_eligible' | 'statutory_floor_violation' | 'unsettled';

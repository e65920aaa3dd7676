import { elapsed, type Clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { SecretUnavailable, type Secret } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import type { AccessToken } from './access-token.ts';
import type { OnDecision } from './decision.ts';
import { adopt, parseSharedToken } from './shared-token.ts';

export type SharedLook = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** What the token must belong to. */
  readonly holder: Pick<AccessToken, 'key' | 'agent'>;
  /** What it is to take the place of: only a token that was asked for later can. */
  readonly previous: AccessToken | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onDecision: OnDecision;
};

/** Milliseconds that a look may cost a call. */
const patience = 500;

const usable = (read: Secret | SecretUnavailable, { holder, clock, previous }: SharedLook) => {
  if (read instanceof SecretUnavailable) return read.reason;
  const adopted = adopt(parseSharedToken(read.text), holder, clock);
  const isNewer = typeof adopted === 'string' || previous === undefined || adopted.sentAt.wall > previous.sentAt.wall;
  return isNewer ? adopted : 'no_newer';
};

/**
 * The token that is kept for all containers, if it can be used: whatever is wrong with it, or with where it is kept, is
 * told as a decision and no failure.
 */
export const findShared = async (look: SharedLook): Promise<AccessToken | undefined> => {
  const { source, secretId, signal, clock, onDecision } = look;
  using limit = deadline(clock, patience, signal);
  const read = await source
    .read(secretId, { force: true, signal: limit.signal })
    .catch((error: unknown) => (error instanceof SecretUnavailable ? error : new SecretUnavailable('unknown')));
  const found = usable(read, look);
  if (typeof found === 'string') {
    onDecision({ type: 'shared token', outcome: found });
    return undefined;
  }
  onDecision({ type: 'shared token', outcome: 'used', ageMs: Math.round(elapsed(clock, found.sentAt)) });
  return found;
};

import { isLogged, log } from '../../runtime/log.ts';
import type { Level } from '../../runtime/log-line.ts';
import type { AccessEvent } from '../oauth/access-event.ts';
import { notFound } from '../secrets/secret.ts';

/** Days before the expiry of a certificate at which it is reported. */
const minDaysLeft = 30;

/** The levels of events that need an operator. All others are `debug`. */
const raisedLevels: Partial<Record<AccessEvent['type'], Level>> = {
  'client certificate not adopted': 'error',
  'new client secret not adopted': 'error',
  'client certificate expired': 'error',
  'client certificate rejected by the API': 'error',
  'all client secrets rejected': 'error',
  'token not obtained': 'warn',
  'another client secret used': 'warn',
};

const levelOf = (decision: AccessEvent): Level => {
  if (decision.type === 'client certificate adopted')
    return decision.daysLeft !== undefined && decision.daysLeft < minDaysLeft ? 'warn' : 'debug';
  // The certificate of another version may have expired.
  if (decision.type === 'client certificate not adopted' && decision.stage !== 'AWSCURRENT') return 'debug';
  // Before the first run of refreshToken there is no shared token.
  if (decision.type === 'shared token read')
    return decision.outcome === 'used' || decision.outcome === notFound ? 'debug' : 'warn';
  return raisedLevels[decision.type] ?? 'debug';
};

/** Logs an access event, if its level is logged. */
export const logAccessEvent = (decision: AccessEvent): void => {
  const level = levelOf(decision);
  if (!isLogged(level)) return;
  const { type, ...fields } = decision;
  log(level, type, fields);
};

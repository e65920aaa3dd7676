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

const levelOf = (event: AccessEvent): Level => {
  if (event.type === 'client certificate adopted')
    return event.daysLeft !== undefined && event.daysLeft < minDaysLeft ? 'warn' : 'debug';
  // The certificate of another version may have expired.
  if (event.type === 'client certificate not adopted' && event.stage !== 'AWSCURRENT') return 'debug';
  // Before the first run of refreshToken there is no shared token.
  if (event.type === 'shared token read')
    return event.outcome === 'used' || event.outcome === notFound ? 'debug' : 'warn';
  return raisedLevels[event.type] ?? 'debug';
};

/** Logs an access event, if its level is logged. */
export const logAccessEvent = (event: AccessEvent): void => {
  const level = levelOf(event);
  if (!isLogged(level)) return;
  const { type, ...fields } = event;
  log(level, type, fields);
};

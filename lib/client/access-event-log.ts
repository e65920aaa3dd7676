import { isLogged, log } from '../runtime/log.ts';
import type { Level } from '../runtime/log-line.ts';
import type { AccessEvent } from '../oauth/access-event.ts';
import { notFound } from '../secrets/secret.ts';

/** Days before a certificate's end at which somebody has to know. */
export const minDaysLeft = 30;

/** Most decisions are the machinery at work, for whoever looks into it. These are for whoever must act. */
const raisedLevels: Partial<Record<AccessEvent['type'], Level>> = {
  'client certificate kept back': 'error',
  'new version of the client secret not used': 'error',
  'client certificate in use has expired': 'error',
  'client certificate refused by the API': 'error',
  'every client secret refused': 'error',
  'no token obtained': 'warn',
  'client secret in use is not the current one': 'warn',
};

const levelOf = (decision: AccessEvent): Level => {
  if (decision.type === 'client certificate adopted')
    return decision.daysLeft !== undefined && decision.daysLeft < minDaysLeft ? 'warn' : 'debug';
  // The certificate of another version than the current one may well have expired.
  if (decision.type === 'client certificate kept back' && decision.stage !== 'AWSCURRENT') return 'debug';
  // Before the first run of the refresher there is none.
  if (decision.type === 'shared token')
    return decision.outcome === 'used' || decision.outcome === notFound ? 'debug' : 'warn';
  return raisedLevels[decision.type] ?? 'debug';
};

/** Says a decision in one line, which is not made when nobody wants it. */
export const logAccessEvent = (decision: AccessEvent): void => {
  const level = levelOf(decision);
  if (!isLogged(level)) return;
  const { type, ...fields } = decision;
  log(level, type, fields);
};

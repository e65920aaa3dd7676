import type { Caller } from '../../contract/port.ts';
import { platformClientsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Failure } from '../../contract/result.ts';

const config = configured(platformClientsConfig);

/** The operations that a deployment may restrict to platform integrations. */
const recordingOperations: ReadonlySet<string> = new Set(['registerOrder', 'recordRefund', 'recordRefundResult']);

/** The fields of an input that only a platform can know: a fact of it may pass rules that bind other callers. */
const platformFieldsIn = (
  { name }: Operation,
  { observed, managedBy, declaredAt }: Readonly<Record<string, unknown>>,
): readonly string[] => [
  ...(observed === undefined ? [] : ['/observed']),
  ...(managedBy === 'platform' ? ['/managedBy'] : []),
  // An earlier time of a declaration may give the consumer a right that has ended.
  ...(name === 'declareWithdrawal' && declaredAt !== undefined ? ['/declaredAt'] : []),
];

/**
 * Rejects a platform fact of a caller that is not a platform integration. Platform facts need the scope returns:admin
 * or a client in the parameter PlatformClients. Calls inside the bundle are not checked.
 */
export const platformFactFailure = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  { clientId, scopes }: Caller,
): Failure | undefined => {
  const { clients, records } = config();
  if (scopes.includes('returns:admin') || clients.has(clientId)) return undefined;
  const facts = platformFieldsIn(operation, input);
  const isRestricted = records === 'listed' && recordingOperations.has(operation.name);
  if (facts.length === 0 && !isRestricted) return undefined;
  const message = 'needs the scope returns:admin, or a client in the parameter PlatformClients';
  return {
    code: 'insufficient_scope',
    detail: `${isRestricted ? operation.name : 'A platform fact'} ${message}.`,
    errors: (isRestricted ? ['header:Authorization'] : facts).map((path) => ({ path, code: 'scope', message })),
  };
};

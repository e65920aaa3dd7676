import { logAccessEvent } from './access-event-log.ts';
import { createAccessMetrics, type AccessMetrics } from './access-metrics.ts';
import { createService, type Call } from './service.ts';
import type { Scope } from '../contract/operation.ts';
import { defaultAgent } from '../net/agent.ts';
import { systemClock } from '../net/clock.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import { createAccess, type Access } from '../oauth/access.ts';
import { functionConfig, secretsManagerOrigin, serviceConfig, sharedTokenConfig } from '../runtime/config.ts';
import { configured, perContainer } from '../runtime/container.ts';
import { writeLine } from '../runtime/standard-output.ts';
import { earlyClient } from '../secrets/early-client.ts';
import { sourceOf } from '../secrets/source.ts';

/** The scopes that operations ask for together, sorted: what only reads, what commands, and that for an administrator. */
const scopeSets = {
  read: ['returns:read'],
  write: ['returns:write'],
  admin: ['returns:admin', 'returns:write'],
} as const satisfies Readonly<Record<keyof ReturnType<typeof sharedTokenConfig>, readonly Scope[]>>;

/** Where tokens for all containers are kept: the id of a secret by the token's scopes, between single spaces. */
export const sharedTokenIds = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(sharedTokenConfig()).flatMap(([set, id]): [string, string][] =>
      id === '' ? [] : [[scopeSets[set as keyof typeof scopeSets].join(' '), id]],
    ),
  );

type Container = { readonly access: Access; readonly call: Call; readonly measure: AccessMetrics };
const config = configured(serviceConfig);
const identity = configured(functionConfig);
const cached = perContainer((): { container?: Container } => ({}));

const open = (): Container => {
  const { serviceUrl, authUrl, clientSecretId } = config();
  const measure = createAccessMetrics({ ...identity(), now: systemClock.now, write: writeLine });
  const onDecision: OnAccessEvent = (decision) => {
    measure.onDecision(decision);
    logAccessEvent(decision);
  };
  const shared = { clock: systemClock, random: Math.random, onDecision };
  const client = earlyClient(defaultAgent(), secretsManagerOrigin());
  const access = createAccess({
    source: sourceOf(client),
    secretId: clientSecretId,
    authUrl,
    resource: serviceUrl,
    sharedTokenIds: sharedTokenIds(),
    ...shared,
  });
  return { access, call: createService({ serviceUrl, access, reserveMs: 500, ...shared }), measure };
};

/** Calls an operation of the Returns Service, with this container's token and connections. */
export const callService: Call = (operation, input, options) =>
  (cached().container ??= open()).call(operation, input, options);

const settle = async ({ access, measure }: Container, remainingMs: number): Promise<void> => {
  await access.settle(remainingMs);
  measure.settle();
};

/**
 * Ends what runs beside an invocation, a token refresh above all, in the time that the access gives it. Belongs into
 * the handler's `finally`; where nothing runs, as in nearly every call, it is done at once and is no promise. What was
 * decided meanwhile is then written as metrics.
 *
 * @param until epoch milliseconds at which the call must have been answered
 */
export const settleRefresh = (until: number): Promise<void> | undefined => {
  const { container } = cached();
  if (container === undefined) return undefined;
  if (container.access.isBusy()) return settle(container, until - systemClock.now());
  container.measure.settle();
  return undefined;
};

import { logAccessEvent } from './access-event-log.ts';
import { createAccessMetrics, type AccessMetrics } from './access-metrics.ts';
import { type Call, createSender, createService, type SendRequest, type ServiceOptions } from './service.ts';
import type { Scope } from '../../contract/operation.ts';
import { defaultAgent } from '../net/agent.ts';
import { systemClock } from '../net/clock.ts';
import { pausableClock } from '../net/pausable-clock.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import { createAccess, type Access } from '../oauth/access.ts';
import {
  functionConfig,
  secretsManagerOrigin,
  serviceConfig,
  sharedTokenConfig,
} from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { writeMetricLine } from '../../runtime/metrics.ts';
import { earlyClient } from '../secrets/early-client.ts';
import { sourceOf } from '../secrets/source.ts';

/** The scopes that operations request together, sorted: for reads, for commands, and for administrators. */
const scopeSets = {
  read: ['returns:read'],
  write: ['returns:write'],
  admin: ['returns:admin', 'returns:write'],
} as const satisfies Readonly<Record<keyof ReturnType<typeof sharedTokenConfig>, readonly Scope[]>>;

/** The secret ids of shared tokens by scopes, with single spaces. */
export const sharedTokenIds = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(sharedTokenConfig()).flatMap(([set, id]): [string, string][] =>
      id === '' ? [] : [[scopeSets[set as keyof typeof scopeSets].join(' '), id]],
    ),
  );

type Container = {
  readonly access: Access;
  readonly options: ServiceOptions;
  readonly measure: AccessMetrics;
  call?: Call;
};
const config = configured(serviceConfig);
const identity = configured(functionConfig);
const cached = perContainer((): { container?: Container } => ({}));

const open = (): Container => {
  const { serviceUrl, authUrl, serviceAccess, clientSecretId } = config();
  const measure = createAccessMetrics({ ...identity(), now: systemClock.now, write: writeMetricLine });
  const onEvent: OnAccessEvent = (event) => {
    measure.onEvent(event);
    logAccessEvent(event);
  };
  const clock = pausableClock(systemClock);
  const shared = { random: Math.random, onEvent };
  const client = earlyClient(defaultAgent(), secretsManagerOrigin());
  const access = createAccess({
    source: sourceOf(client, clock),
    clock,
    secretId: clientSecretId,
    authUrl,
    serviceAccess,
    resource: serviceUrl,
    sharedTokenIds: sharedTokenIds(),
    ...shared,
  });
  const { servicePath } = serviceAccess;
  const options = { serviceUrl, servicePath, access, clock: systemClock, reserveMs: 500, ...shared };
  return { access, options, measure };
};

const opened = (): Container => (cached().container ??= open());

/** Calls an operation of the Returns Service with this container's token and connections. */
export const callService: Call = (operation, input, options) => {
  const container = opened();
  container.call ??= createService(container.options);
  return container.call(operation, input, options);
};

/**
 * Sends a request to a Returns Service with another API, with this container's token and connections. The headers of the
 * request have lower case, and count before those of the access, which must not replace an idempotency key.
 */
export const sendToService: SendRequest = (sending) => {
  const { options } = opened();
  const { access } = options;
  return createSender({
    ...options,
    access: { ...access, headers: (token) => ({ ...access.headers(token), ...sending.request.headers }) },
  })(sending);
};

/** Returns the address below which the paths of the service begin. */
export const serviceAddress = (): string => {
  const { serviceUrl, serviceAccess } = config();
  return `${serviceUrl}${serviceAccess.servicePath}`;
};

const drain = async ({ access, measure }: Container, remainingMs: number): Promise<void> => {
  await access.drain(remainingMs);
  measure.writeDue();
};

/**
 * Waits for background work of an invocation within the time that the access allows. It is mostly a token refresh. Work
 * that takes longer goes on in the next invocation. Call it in the handler's `finally`. Without such work, as in nearly
 * every call, it ends synchronously and returns no promise. It writes the events of the meantime as metrics.
 *
 * @param until epoch milliseconds by which the function must have responded
 */
export const drainRefresh = (until: number): Promise<void> | undefined => {
  const { container } = cached();
  if (container === undefined) return undefined;
  if (container.access.isBusy()) return drain(container, until - systemClock.now());
  container.measure.writeDue();
  return undefined;
};

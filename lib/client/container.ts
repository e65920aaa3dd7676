import { serviceConfig } from '../config.ts';
import { systemClock } from '../net/clock.ts';
import { createAccess, type Access } from '../oauth/access.ts';
import { secrets } from '../secrets/source.ts';
import { createService, type Call } from './service.ts';

type Container = { readonly access: Access; readonly call: Call };
const { serviceUrl, authUrl, clientSecretId } = serviceConfig();
let container: Container | undefined;

const open = (): Container => {
  const shared = { clock: systemClock, random: Math.random };
  const access = createAccess({
    source: secrets(),
    secretId: clientSecretId,
    authUrl,
    resource: serviceUrl,
    ...shared,
  });
  return { access, call: createService({ serviceUrl, access, reserveMs: 500, ...shared }) };
};

/** Calls an operation of the Returns Service, with this container's token and connections. */
export const callService: Call = (operation, input, options) => (container ??= open()).call(operation, input, options);

/**
 * Ends what runs beside an invocation, a token refresh above all, within min(1 s, 25 % of the remaining time). Belongs
 * into the handler's `finally`; costs nothing when nothing runs.
 */
export const settleRefresh = async (remainingMs: number): Promise<void> => container?.access.settle(remainingMs);

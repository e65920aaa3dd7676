import type { OperationName } from '../../../contract/contract.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { Answer, ClientOptions, Result } from '../../../access/client/public.ts';
import type { AccessSetting } from '../../../runtime/service-access.ts';
import type { Settings } from '../profiles/settings.ts';

/** The options of one call that the command line sets. */
export type CallSettings = {
  readonly signal: AbortSignal;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  readonly onBehalfOf?: string;
  readonly admin?: boolean;
  readonly dryRun?: boolean;
  readonly ifMatch?: number;
  readonly idempotencyKey?: string;
  readonly acceptLanguage?: string;
};

type Method = (input: JsonObject, options: CallSettings) => Promise<Result<Answer<unknown>>>;

/** Calls an operation of the service by its name. Rejects with the reason of the signal. */
export type Call = (
  name: OperationName,
  input: JsonObject,
  options: CallSettings,
) => Promise<Result<Answer<JsonObject>>>;

export type Connection = { readonly call: Call; readonly close: () => Promise<void> };

/**
 * Opens the typed client with the settings of a command. The client is loaded here: help and usage errors need none.
 *
 * @param timeoutMs the time limit of a call
 * @throws {TypeError} for a setting that the client rejects
 */
export const openConnection = async (settings: Settings, timeoutMs: number): Promise<Connection> => {
  const { createReturnsClient } = await import('../../../access/client/returns-client.ts');
  const { serviceUrl, authUrl, access, credentials } = settings;
  // The client accepts what a profile may have, which its type does not say: pairs as a text.
  const options = access as Pick<ClientOptions, AccessSetting>;
  const client = createReturnsClient({ serviceUrl, authUrl, credentials, timeoutMs, ...options });
  const methods = client as unknown as Readonly<Record<OperationName, Method>>;
  return {
    // Every answer of the contract is an object.
    call: (name, input, options) => methods[name](input, options) as ReturnType<Call>,
    close: client.close,
  };
};

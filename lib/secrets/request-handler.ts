import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { Agent } from '../net/agent.ts';
import { send, type Outgoing } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';

/** What an SDK's request is, as far as its JSON protocols make use of it. */
type SdkRequest = Pick<Outgoing, 'method' | 'headers' | 'body'> & {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
};
type HandleOptions = { readonly abortSignal?: AbortSignal };
type SdkResponse = { readonly response: object };
export type RequestHandler = NonNullable<SecretsManagerClientConfig['requestHandler']>;

/** No answer of Secrets Manager is larger: a secret has at most 64 KiB. */
const maxResponseBytes = 1024 * 1024;
/** Whoever calls has a limit that is shorter. */
const timeoutMs = 5_000;

const urlOf = ({ protocol, hostname, port, path }: SdkRequest): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;

/** The names that the SDK's own handler gives what went wrong, where it has one that says as much. */
const sdkError = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true) return new DOMException('the request was aborted', 'AbortError');
  if (!(error instanceof TransportError) || error.code !== 'UND_ERR_SOCKET') return error;
  return new TransportError(error.reason, { status: error.status, code: 'ECONNRESET' });
};

/**
 * Lets a client of the SDK send by connections of ours. Where there is undici anyway this spares the start of a second
 * client of HTTP, which is Node's.
 */
export const requestHandler = (agent: Agent): RequestHandler => ({
  handle: async (request: SdkRequest, { abortSignal: signal }: HandleOptions = {}): Promise<SdkResponse> => {
    const { method, headers, body } = request;
    const outgoing = {
      agent,
      method,
      url: urlOf(request),
      // After the signature, which does not cover it.
      headers: { ...headers, 'accept-encoding': 'identity' },
      timeoutMs,
      signal,
      maxBytes: maxResponseBytes,
    };
    try {
      const { status, ...answer } = await send(body === undefined ? outgoing : { ...outgoing, body });
      return { response: { statusCode: status, ...answer } };
    } catch (error) {
      throw sdkError(error, signal);
    }
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

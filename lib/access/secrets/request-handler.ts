import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { Agent } from '../net/agent.ts';
import { send, type Outgoing } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';

/** The part of an SDK request that its JSON protocols use. */
type SdkRequest = Pick<Outgoing, 'method' | 'headers' | 'body'> & {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
};
type HandleOptions = { readonly abortSignal?: AbortSignal };
type SdkResponse = { readonly response: object };
export type RequestHandler = NonNullable<SecretsManagerClientConfig['requestHandler']>;

/** The limit of a Secrets Manager response: a secret has at most 64 KiB. */
const maxResponseBytes = 1024 * 1024;
/** A read has a shorter limit. It is the limit of a write, and of each step's calls in a rotation of the client secret. */
const timeoutMs = 5_000;

const urlOf = ({ protocol, hostname, port, path }: SdkRequest): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;

/** Maps an error to the SDK's name, where the SDK has an equivalent one. */
const sdkError = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true) return new DOMException('the request was aborted', 'AbortError');
  if (!(error instanceof TransportError) || error.code !== 'UND_ERR_SOCKET') return error;
  return new TransportError(error.reason, { status: error.status, code: 'ECONNRESET' });
};

/**
 * Sends the requests of an SDK client over the given agent. In a bundle with undici this saves the start of Node's own
 * HTTP client.
 */
export const requestHandler = (agent: Agent): RequestHandler => ({
  handle: async (request: SdkRequest, { abortSignal: signal }: HandleOptions = {}): Promise<SdkResponse> => {
    const { method, headers, body } = request;
    const outgoing = {
      agent,
      method,
      url: urlOf(request),
      // The header is added after the signature, which does not cover it.
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

import { serviceRequest } from '../../client/outgoing.ts';
import type { Operation } from '../../contract/operation.ts';
import { health, listReturns } from '../../contract/operations.ts';
import { type Agent, createAgent } from '../../net/agent.ts';
import type { Clock } from '../../net/clock.ts';
import { send } from '../../net/request.ts';
import type { ClientSecret } from '../../oauth/client-secret.ts';
import type { Redacted } from '../../secrets/failure-reason.ts';
import { secureContextOf } from '../../secrets/key-pair.ts';
import { attempt, type Attempt, type Check, failed, passed, skipped, warning } from '../check.ts';
import { checkClock } from './token.ts';
import { explainTransport } from './transport.ts';

const clockName = 'clock of the API';

export const apiChecks = ['API', 'API certificate', 'API read', clockName] as const;

type Probing = {
  readonly serviceUrl: string;
  readonly fields: Pick<ClientSecret, 'certificate' | 'ca'>;
  /** Shows the certificate of the secret. */
  readonly agent: Agent;
  readonly token: Redacted | undefined;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

const limit = 4_000;
const maxResponseBytes = 1024 * 1024;

type Probe = { readonly input?: object; readonly agent?: Agent; readonly token?: Redacted };

/** Sends one request that changes nothing. */
const probe = (probing: Probing, operation: Operation, { input = {}, agent, token }: Probe = {}): Promise<Attempt> => {
  const { serviceUrl, traceId, clock, signal } = probing;
  const options = { dryRun: false, traceId, deadline: clock.now() + limit, scopes: [] };
  const request = serviceRequest(serviceUrl, operation, input, options);
  if (!request.ok) throw new TypeError(`${operation.name} cannot be asked like this`);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  return attempt(clock, () =>
    send({
      ...request.value,
      headers: { ...request.value.headers, ...authorization },
      agent: agent ?? probing.agent,
      timeoutMs: limit,
      signal,
      maxBytes: maxResponseBytes,
    }),
  );
};

type Hint = readonly [meaning: string, remedy: string];

const hints: Readonly<Record<number, Hint>> = {
  401: [
    'it refuses a token that was just issued',
    'Compare audience and issuer of the tokens with what the API takes: the token endpoint may be of another environment.',
  ],
  403: [
    'it takes the token, and refuses the scope or the certificate',
    'Have it allow returns:read to this client, with this certificate.',
  ],
  404: ['it is not at this path', 'SERVICE_URL is what stands before /v1, without /v1 itself.'],
};

const hintOf = (status: number): Hint => {
  const hint = hints[status];
  if (hint !== undefined) return hint;
  if (status >= 500) return ['the service fails', 'Look into the logs of the service.'];
  if (status >= 300 && status < 400) return ['it sends elsewhere', 'Set SERVICE_URL to where it sends to.'];
  return ['the contract says otherwise', 'Look whether SERVICE_URL leads to a Returns Service.'];
};

/** A probe must be answered with 200. */
const answerCheck = (name: string, request: string, tried: Attempt, { serviceUrl, fields }: Probing): Check => {
  if (tried.answer === undefined) {
    const { detail, remedy } = explainTransport(tried.error, {
      name: 'the API',
      variable: 'SERVICE_URL',
      url: serviceUrl,
      identified: fields.certificate !== undefined,
    });
    return failed(name, detail, remedy);
  }
  const { status } = tried.answer;
  const told = `${request} answered ${status} after ${tried.ms} ms`;
  if (status === 200) return passed(name, told);
  const [meaning, remedy] = hintOf(status);
  return failed(name, `${told}: ${meaning}`, remedy);
};

/** A server that demands a certificate ends the connection, or answers so; that it is slow or fails says nothing. */
const isRejection = (tried: Attempt): boolean =>
  tried.answer === undefined ? tried.error.reason !== 'timeout' : [400, 401, 403].includes(tried.answer.status);

/** Whether the API is as closed to those without a certificate as it should be. */
const certificateChecks = async (probing: Probing, reached: boolean): Promise<readonly Check[]> => {
  const { serviceUrl, fields, clock } = probing;
  const name = 'API certificate';
  if (fields.certificate === undefined) return skipped([name], 'there is no certificate');
  if (!serviceUrl.startsWith('https:')) return skipped([name], 'the API is reached without TLS');
  if (!reached) return skipped([name], 'the API is not reached');
  const agent = createAgent({ secureContext: secureContextOf({ ca: fields.ca }), clock });
  try {
    const stranger = await probe(probing, health, { agent });
    if (stranger.answer?.status === 200) {
      return [
        warning(name, 'the API answers without one too', 'Have the service demand it, if it is to be mutual TLS.'),
      ];
    }
    return isRejection(stranger)
      ? [passed(name, 'the API answers to those alone who show one')]
      : skipped([name], 'what happens without one cannot be told');
  } finally {
    await agent.end();
  }
};

const readChecks = async (probing: Probing, reached: boolean): Promise<readonly Check[]> => {
  const { token } = probing;
  if (!reached) return skipped(['API read'], 'the API is not reached');
  if (token === undefined) return skipped(['API read'], 'there is no token with returns:read');
  const tried = await probe(probing, listReturns, { input: { limit: 1 }, token });
  return [answerCheck('API read', 'GET /v1/returns?limit=1', tried, probing)];
};

/** Whether the API is there, lets the certificate in and takes the token. */
export const checkApi = async (probing: Probing): Promise<readonly Check[]> => {
  const tried = await probe(probing, health);
  const reached = tried.answer !== undefined;
  return [
    answerCheck('API', 'GET /v1/health', tried, probing),
    ...(await certificateChecks(probing, tried.answer?.status === 200)),
    ...(await readChecks(probing, reached)),
    ...checkClock(clockName, tried),
  ];
};

import * as shapes from '#contract/answers.js';
import { createAnswerCheck } from '../../../access/client/check-answer.ts';
import { parseServiceAnswer } from '../../../access/client/incoming.ts';
import { serviceRequest } from '../../../access/client/outgoing.ts';
import type { Operation } from '../../../contract/operation.ts';
import { health, listReturns } from '../../../contract/operations.ts';
import type { AnswerShape } from '../../../contract/answer-shape.ts';
import { type Agent, createAgent } from '../../../access/net/agent.ts';
import type { Clock } from '../../../access/net/clock.ts';
import { type Incoming, send } from '../../../access/net/request.ts';
import type { Credentials } from '../../../access/oauth/client-credentials.ts';
import type { ClientSecret } from '../../../access/oauth/client-secret.ts';
import { requestHeaders } from '../../../access/oauth/request-headers.ts';
import type { Redacted } from '../../../access/secrets/failure-reason.ts';
import { secureContextOf } from '../../../access/secrets/key-pair.ts';
import { attempt, type Attempt, type Check, failed, passed, skipped, warning } from '../check.ts';
import { checkClock } from './token.ts';
import { explainTransport } from './transport.ts';

const clockName = 'clock of the API';

export const apiChecks = ['API', 'API certificate', 'API read', clockName] as const;

type Probing = {
  readonly serviceUrl: string;
  readonly fields: Pick<ClientSecret, 'certificate' | 'ca'>;
  /** Their connections present the certificate of the secret. */
  readonly credentials: Credentials;
  readonly token: Redacted | undefined;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

const limit = 4_000;
const maxResponseBytes = 1024 * 1024;

type Probe = { readonly input?: object; readonly agent?: Agent; readonly token?: Redacted };

/** Sends one read request. */
const probe = (probing: Probing, operation: Operation, { input = {}, agent, token }: Probe = {}): Promise<Attempt> => {
  const { serviceUrl, credentials, traceId, clock, signal } = probing;
  const options = { dryRun: false, traceId, deadline: clock.now() + limit, scopes: [] };
  const baseUrl = `${serviceUrl}${credentials.serviceAccess.servicePath}`;
  const request = serviceRequest(baseUrl, operation, input, options);
  if (!request.ok) throw new TypeError(`the input of ${operation.name} is invalid`);
  return attempt(clock, () =>
    send({
      ...request.value,
      headers: { ...request.value.headers, ...requestHeaders(credentials, token) },
      agent: agent ?? credentials.agent,
      timeoutMs: limit,
      signal,
      maxBytes: maxResponseBytes,
    }),
  );
};

type Hint = readonly [meaning: string, remedy: string];

const hints: Readonly<Record<number, Hint>> = {
  401: [
    'it rejects a new token',
    'Compare the audience and issuer of the tokens with those that the API accepts. The token endpoint may belong to another environment.',
  ],
  403: [
    'it accepts the token and rejects the scope or the certificate',
    'Ask the operator of the API to grant returns:read to this client and certificate.',
  ],
  404: [
    'the path does not exist',
    'Set SERVICE_URL and SERVICE_PATH: together they are the part of the URL before /returns. SERVICE_PATH is /v1 by default. A service without this path does not speak the contract: it needs an adapter.',
  ],
};

const hintOf = (status: number): Hint => {
  const hint = hints[status];
  if (hint !== undefined) return hint;
  if (status >= 500) return ['the service failed', 'Check the logs of the service.'];
  if (status >= 300 && status < 400) return ['it redirects', 'Set SERVICE_URL to the target of the redirect.'];
  return ['the contract has no such status', 'Check whether SERVICE_URL is a Returns Service.'];
};

/** Returns the first difference between an answer and the contract. It never has a value of the answer. */
const misfitOf = (answer: Incoming, { name }: Operation, shape: AnswerShape, clock: Clock): string | undefined => {
  const parsed = parseServiceAnswer(answer, clock);
  const checked = parsed.ok ? createAnswerCheck()(name, shape, parsed.value) : parsed;
  return checked.ok ? undefined : checked.failure.reason;
};

/** A probe: the name of its row, its operation, and the shape of the answer. */
type Row = { readonly name: string; readonly operation: Operation; readonly shape: AnswerShape };

/** The row of a probe: it passes with 200 and an answer of the contract. */
const answerCheck = (
  { name, operation, shape }: Row,
  request: string,
  tried: Attempt,
  { serviceUrl, fields, clock }: Probing,
): Check => {
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
  const summary = `${request} answered ${status} after ${tried.ms} ms`;
  if (status === 200) {
    const misfit = misfitOf(tried.answer, operation, shape, clock);
    if (misfit === undefined) return passed(name, summary);
    return failed(
      name,
      `${summary}, and the answer does not fit the contract: ${misfit}`,
      'Compare SERVICE_URL with the address of the Returns Service. A service that does not speak the contract needs an adapter.',
    );
  }
  const [meaning, remedy] = hintOf(status);
  return failed(name, `${summary}: ${meaning}`, remedy);
};

/** Whether the server rejected the request. A timeout or a 5xx proves nothing. */
const isRejection = (tried: Attempt): boolean =>
  tried.answer === undefined ? tried.error.reason !== 'timeout' : [400, 401, 403].includes(tried.answer.status);

/** Checks that the API rejects a client without a certificate. */
const certificateChecks = async (probing: Probing, reached: boolean): Promise<readonly Check[]> => {
  const { serviceUrl, fields, clock } = probing;
  const name = 'API certificate';
  if (fields.certificate === undefined) return skipped([name], 'there is no certificate');
  if (!serviceUrl.startsWith('https:')) return skipped([name], 'SERVICE_URL has no TLS');
  if (!reached) return skipped([name], 'the API is unreachable');
  const agent = createAgent({ secureContext: secureContextOf({ ca: fields.ca }), clock });
  try {
    const anonymous = await probe(probing, health, { agent });
    if (anonymous.answer?.status === 200) {
      return [
        warning(
          name,
          'the API also answers without a certificate',
          'If you expect mutual TLS, ask the operator of the API to require it.',
        ),
      ];
    }
    return isRejection(anonymous)
      ? [passed(name, 'the API requires one')]
      : skipped([name], 'the request without a certificate gave no clear result');
  } finally {
    await agent.end();
  }
};

const readChecks = async (probing: Probing, reached: boolean): Promise<readonly Check[]> => {
  const { token, credentials } = probing;
  if (!reached) return skipped(['API read'], 'the API is unreachable');
  if (token === undefined) return skipped(['API read'], 'there is no token with returns:read');
  const tried = await probe(probing, listReturns, { input: { limit: 1 }, token });
  const path = `${credentials.serviceAccess.servicePath}${listReturns.path}`;
  const row = { name: 'API read', operation: listReturns, shape: shapes.listReturns };
  return [answerCheck(row, `GET ${path}?limit=1`, tried, probing)];
};

/** Checks that the API is reachable and accepts the certificate and the token. */
export const checkApi = async (probing: Probing): Promise<readonly Check[]> => {
  const tried = await probe(probing, health);
  const reached = tried.answer !== undefined;
  return [
    answerCheck(
      { name: 'API', operation: health, shape: shapes.health },
      `GET ${probing.credentials.serviceAccess.servicePath}${health.path}`,
      tried,
      probing,
    ),
    ...(await certificateChecks(probing, tried.answer?.status === 200)),
    ...(await readChecks(probing, reached)),
    ...checkClock(clockName, tried),
  ];
};

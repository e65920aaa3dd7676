import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Agent, request as forward } from 'undici';
import { closeServer, listen } from '../ports.ts';
import { type PartitionKeys, type Request, requestOf, sendEmailRequest, type Service } from './access.ts';
import type { Call } from './call-record.ts';
import { clientSettings } from './function-spec.ts';
import type { Identities, Identity } from './identities.ts';
import { type Access, covers } from './policy.ts';
import { sendEmailPath } from './ses.ts';
import { forPrograms } from './web-page.ts';

/*
 * A proxy in front of the emulators, which accept every request. It permits only the calls that a function's role
 * permits, and rejects what AWS would reject. The access key in the signature identifies the caller. The proxy does not
 * verify the signature, nor do the emulators.
 */

export type GuardOptions = {
  readonly upstream: Readonly<Record<Service, string>>;
  readonly identities: Identities;
  readonly partitionKeys: PartitionKeys;
  readonly onCall?: (call: Omit<Call, 'mode'>) => void;
  /** Is called after each request that may have changed a table. */
  readonly onWrite?: () => void;
};

type ErrorAnswer = { readonly status: number; readonly type: string; readonly message: string };

const unknownCaller: ErrorAnswer = {
  status: 400,
  type: 'UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};

/** Returns the access key in the signature of a request; empty without a signature. */
export const accessKeyIn = (request: IncomingMessage): string =>
  / Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';

/** Whether a role permits an access. */
export const isPermitted = (identity: Identity, access: Access): boolean =>
  identity.permissions.some((permission) => covers(permission, access));

/** Returns the words of AWS for an access that a role does not permit. */
export const deniedMessage = ({ arn }: Identity, { action, resource }: Access): string =>
  `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;

const accessDenied = (service: Service, identity: Identity, access: Access): ErrorAnswer => ({
  status: service === 'sqs' ? 403 : 400,
  type: 'AccessDeniedException',
  message: deniedMessage(identity, access),
});

const parseRequest = ({ headers, url }: IncomingMessage, body: Buffer, keys: PartitionKeys): Request | ErrorAnswer => {
  const target = String(headers['x-amz-target'] ?? '');
  try {
    if (url === sendEmailPath) return sendEmailRequest(body.toString());
    const request = requestOf(target, body.toString(), keys);
    const message = `The local stack does not know what ${target || 'a request without X-Amz-Target'} needs.`;
    return request ?? { status: 400, type: 'UnknownOperationException', message };
  } catch {
    return { status: 400, type: 'SerializationException', message: 'The request was not understood.' };
  }
};

const sendError = (response: ServerResponse, { status, type, message }: ErrorAnswer): void => {
  console.error(`refused: ${message}`);
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message }));
};

const ofThisHop = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']);

const endToEnd = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string | string[]] => {
      const [name, value] = header;
      return value !== undefined && !ofThisHop.has(name);
    }),
  );

/**
 * Forwards a request, and returns its complete response with its length, as AWS sends it. All requests to the emulators
 * have the same caller, because some emulators have a database for each caller.
 */
const forwardRequest = async (
  origin: string,
  dispatcher: Agent,
  request: IncomingMessage,
  sent: Buffer,
  response: ServerResponse,
): Promise<void> => {
  const closed = new AbortController();
  // A complete response emits `close` too, and needs no abort.
  response.once('close', () => response.writableFinished || closed.abort());
  const authorization = (request.headers.authorization ?? '').replace(
    / Credential=[^/]+\//,
    ` Credential=${clientSettings.credentials.accessKeyId}/`,
  );
  const { statusCode, headers, body } = await forward(`${origin}${request.url}`, {
    method: 'POST',
    headers: { ...endToEnd(request.headers), authorization },
    body: sent,
    dispatcher,
    signal: closed.signal,
  });
  const answered = await body.bytes();
  response.writeHead(statusCode, { ...endToEnd(headers), 'content-length': answered.length }).end(answered);
};

/** The accesses that change a table. */
const writing: ReadonlySet<string> = new Set(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);

const answer = async (
  { upstream, identities, partitionKeys, onCall, onWrite }: GuardOptions,
  dispatcher: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(request);
  const identity = identities.get(accessKeyIn(request));
  if (identity === undefined) return sendError(response, unknownCaller);
  const understood = parseRequest(request, body, partitionKeys);
  if ('type' in understood) return sendError(response, understood);
  const { service, accesses } = understood;
  const checked = accesses.map((access) => ({ access, permitted: isPermitted(identity, access) }));
  for (const { access, permitted } of checked) onCall?.({ function: identity.function, ...access, permitted });
  const denied = checked.find(({ permitted }) => !permitted);
  if (denied !== undefined) return sendError(response, accessDenied(service, identity, denied.access));
  await forwardRequest(upstream[service], dispatcher, request, body, response);
  if (accesses.some(({ action }) => writing.has(action))) onWrite?.();
};

/** Starts one guard for all services on a free port. */
export const startGuard = async (options: GuardOptions) => {
  const dispatcher = new Agent();
  // A connection that the emulator breaks or rejects is broken here.
  const server = createServer(forPrograms(async (request, response) => answer(options, dispatcher, request, response)));
  const url = await listen(server, 0);
  const close = async (): Promise<void> => {
    await closeServer(server);
    await dispatcher.destroy();
  };
  return { url, close };
};

import type { ForeignRequest, Reply, Service } from '../../adapters/send.ts';
import { queryText } from '../../adapters/path.ts';
import type { Tap } from './offered-operations.ts';
import type { ExpectedRequest, RecordedAnswer, RecordedExchange } from './recording.ts';
import { queryOf, type SentRequest } from './replay-server.ts';

/** What a mapping has exchanged with a service since the last `begin`. */
export type Tapped = {
  readonly tap: Tap;
  readonly begin: () => void;
  /** All requests, also those whose answer was an error. */
  readonly sent: () => readonly SentRequest[];
  /** The exchanges whose answer the mapping got. */
  readonly exchanges: () => readonly RecordedExchange[];
};

const headersOf = ({ accept, contentType }: ForeignRequest) => ({
  ...(accept !== undefined && { accept }),
  ...(contentType !== undefined && { 'content-type': contentType }),
});

const requestOf = (request: ForeignRequest): ExpectedRequest => {
  const { method, path, query, body } = request;
  const parameters = queryOf(new URLSearchParams(queryText(query)));
  const headers = headersOf(request);
  return {
    method,
    path,
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body: JSON.parse(JSON.stringify(body)) as unknown }),
  };
};

const answerOf = ({ status, body }: Pick<Reply<unknown>, 'status' | 'body'>): RecordedAnswer => ({
  status,
  // A copy: a mapping may reuse parts of an answer, and the runner removes members of what it returns.
  ...(body !== undefined && { body: structuredClone(body) }),
});

/** Records what mappings exchange, between them and the access to the service: without tokens and fixed headers. */
export const openTap = (): Tapped => {
  let sent: SentRequest[] = [];
  let exchanges: RecordedExchange[] = [];
  const noteSent = (request: ForeignRequest): ExpectedRequest => {
    const noted = requestOf(request);
    sent.push({ ...noted, query: noted.query ?? {}, headers: noted.headers ?? {}, body: noted.body });
    return noted;
  };
  const tap = ({ send, follow, key }: Service): Service => ({
    key,
    send: async (foreign) => {
      const request = noteSent(foreign);
      const reply = await send<never>(foreign);
      exchanges.push({ request, answer: answerOf(reply) });
      return reply;
    },
    follow: (foreign, isDone) => {
      const request = noteSent(foreign);
      return follow(foreign, (body) => {
        exchanges.push({ request, answer: answerOf({ status: 200, body }) });
        return isDone(body);
      });
    },
  });
  return {
    tap,
    begin: () => {
      sent = [];
      exchanges = [];
    },
    sent: () => sent,
    exchanges: () => exchanges,
  };
};

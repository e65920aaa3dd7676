import { AsyncLocalStorage } from 'node:async_hooks';
import { OperationFailure } from '../../adapters/failure.ts';
import { queryText } from '../../adapters/path.ts';
import type { ForeignRequest, Service } from '../../adapters/send.ts';
import type { AnyAdapter } from '../template/adapters/derive-contract.ts';
import type { ExpectedRequest, RecordedExchange } from './recording.ts';
import { queryOf, type SentRequest } from './replay-server.ts';

/** A request of a mapping to the service, and how it ended. */
export type ForeignCall = {
  readonly request: ExpectedRequest;
  /** The status of the last answer; absent without an answer that is JSON. */
  status?: number;
  /** The failure that the mapping got. */
  failure?: OperationFailure;
};

/** What the mapping of one call has exchanged with the service. */
export type Tapped = { readonly calls: ForeignCall[]; readonly exchanges: RecordedExchange[] };

/** Notes what mappings exchange, between them and the access to the service: without tokens and fixed headers. */
export type Tap = {
  /** The rules of the adapter, which see each answer. */
  readonly errorIn: NonNullable<AnyAdapter['errorIn']>;
  /** Returns the service for one call of an operation. */
  readonly open: (service: Service, tapped: Tapped) => Service;
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

/** Returns the requests of a call as a service gets them. */
export const sentIn = ({ calls }: Tapped): readonly SentRequest[] =>
  calls.map(({ request: { query = {}, headers = {}, body, ...rest } }) => ({ ...rest, query, headers, body }));

/** Opens a tap on the mappings of an adapter. */
export const openTap = ({ errorIn }: AnyAdapter): Tap => {
  // Says to which request an answer belongs: a mapping may send several at once.
  const current = new AsyncLocalStorage<{ readonly call: ForeignCall; readonly tapped: Tapped }>();
  const noted = <Answer>(foreign: ForeignRequest, tapped: Tapped, send: () => Promise<Answer>): Promise<Answer> => {
    const call: ForeignCall = { request: requestOf(foreign) };
    tapped.calls.push(call);
    return current.run({ call, tapped }, async () => {
      try {
        return await send();
      } catch (error) {
        if (error instanceof OperationFailure) call.failure = error;
        throw error;
      }
    });
  };
  return {
    errorIn: (answer) => {
      const noting = current.getStore();
      if (noting !== undefined) {
        const { call, tapped } = noting;
        const { status, body } = answer;
        call.status = status;
        // A copy: a mapping may reuse parts of an answer, and the runner removes members of what it returns.
        const copy = { status, ...(body !== undefined && { body: structuredClone(body) }) };
        tapped.exchanges.push({ request: call.request, answer: copy });
      }
      return errorIn?.(answer);
    },
    open: ({ send, follow, key }, tapped) => ({
      key,
      send: (foreign) => noted(foreign, tapped, () => send(foreign)),
      follow: (foreign, isDone) => noted(foreign, tapped, () => follow(foreign, isDone)),
    }),
  };
};

import type { CloudEvent } from '../../../lib/domain/events/cloud-event.ts';
import { startServer, type Answer, type TestServer } from '../../support/http-server.ts';

/** A received event, and whether the response was a success. */
export type Arrived = { readonly event: CloudEvent; readonly ok: boolean };

export type Receiver = AsyncDisposable & {
  readonly server: TestServer;
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** The response to each event from now on. */
  answer: (event: CloudEvent) => Answer | Promise<Answer>;
};

const fine = { status: 204 } as const;

/** Starts a receiver that accepts every event unless a test sets another response, and records it. */
export const startReceiver = async (): Promise<Receiver> => {
  const arrived: Arrived[] = [];
  const receiver: Pick<Receiver, 'answer'> = { answer: () => fine };
  const server = await startServer(async ({ body }) => {
    const event = JSON.parse(body) as CloudEvent;
    const answer = await receiver.answer(event);
    arrived.push({ event, ok: typeof answer === 'object' && 'status' in answer && answer.status < 300 });
    return answer;
  });
  return Object.assign(receiver, {
    server,
    url: `${server.origin}/hooks`,
    arrived,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
};

/** Returns the sequences of a subject's events in order of arrival, without the failed ones. */
export const sequencesOf = ({ arrived }: Pick<Receiver, 'arrived'>, subject: string, all = false): readonly number[] =>
  arrived.filter(({ event, ok }) => event.subject === subject && (ok || all)).map(({ event }) => event.data.sequence);

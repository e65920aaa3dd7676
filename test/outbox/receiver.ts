import type { CloudEvent } from '../../lib/events/cloud-event.ts';
import { startServer, type Answer, type TestServer } from '../support/http-server.ts';

/** An event as it came, and how it was answered. */
export type Arrived = { readonly event: CloudEvent; readonly ok: boolean };

export type Receiver = AsyncDisposable & {
  readonly server: TestServer;
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** How it answers from now on. */
  answer: (event: CloudEvent) => Answer | Promise<Answer>;
};

const fine = { status: 204 } as const;

/** A receiver that takes what it is sent unless it is told otherwise, and remembers it. */
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

/** What a subject's events were, in the order in which they came, those apart that failed. */
export const sequencesOf = ({ arrived }: Pick<Receiver, 'arrived'>, subject: string, all = false): readonly number[] =>
  arrived.filter(({ event, ok }) => event.subject === subject && (ok || all)).map(({ event }) => event.data.sequence);

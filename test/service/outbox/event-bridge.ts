import type { CloudEvent } from '../../../lib/domain/events/cloud-event.ts';
import { startServer, type Answer } from '../../support/http-server.ts';

type Entry = {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly Time: number;
};

/** Decides about an entry: undefined accepts it, a code fails it. */
type Fate = (event: CloudEvent, tries: number) => string | undefined;

/** The state of the bus for a whole request. */
type Mood = 'well' | 'down' | 'hung' | 'refusing';

const rejection: Answer = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }),
};

/** Starts an EventBridge for its clients: `PutEvents` of its JSON protocol, which stores the accepted events. */
export const startEventBridge = async () => {
  const taken: CloudEvent[] = [];
  const requests: (readonly Entry[])[] = [];
  const tries = new Map<string, number>();
  let fate: Fate = () => undefined;
  let mood: Mood = 'well';
  const put = (entry: Entry) => {
    const event = JSON.parse(entry.Detail) as CloudEvent;
    const count = (tries.get(event.id) ?? 0) + 1;
    tries.set(event.id, count);
    const code = fate(event, count);
    if (code !== undefined) return { ErrorCode: code, ErrorMessage: 'no' };
    taken.push(event);
    return { EventId: event.id };
  };
  const server = await startServer(({ headers, body }) => {
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') return { status: 404 };
    if (mood === 'down') return 'reset';
    if (mood === 'hung') return 'hang';
    if (mood === 'refusing') return rejection;
    const { Entries } = JSON.parse(body) as { Entries: readonly Entry[] };
    requests.push(Entries);
    const answered = Entries.map(put);
    const failed = answered.filter((one) => 'ErrorCode' in one).length;
    return { status: 200, body: JSON.stringify({ Entries: answered, FailedEntryCount: failed }) };
  });
  return {
    origin: server.origin,
    taken,
    requests,
    decide: (next: Fate) => (fate = next),
    turn: (next: Mood) => (mood = next),
    clear: () => {
      fate = () => undefined;
      mood = 'well';
      tries.clear();
      requests.length = 0;
      taken.length = 0;
    },
    stop: async () => server[Symbol.asyncDispose](),
  };
};

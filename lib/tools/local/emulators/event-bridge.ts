import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openBuses, type Entry, type StoredEvent } from './event-buses.ts';
import { closeServer, listen } from '../ports.ts';
import { forPrograms } from './web-page.ts';

/*
 * Serves the part of EventBridge that the bundle uses, and the stored events for inspection: GET
 * /events?after=<number>.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */

type Answer = { readonly status: number; readonly body: object };

const errorAnswer = (type: string, message: string): Answer => ({ status: 400, body: { __type: type, message } });

const maxEntries = 10;
/** The limit in bytes of all entries of a request together. */
const maxRequestBytes = 262_144;

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
const sizeOf = ({ Source = '', DetailType = '', Detail = '', Resources = [], Time }: Entry): number =>
  [Source, DetailType, Detail, ...Resources].reduce((sum, part) => sum + Buffer.byteLength(part), 0) +
  (Time === undefined ? 0 : 14);

type Buses = ReturnType<typeof openBuses>;

const putEvents = (buses: Buses, body: string, now: number): Answer => {
  const { Entries = [] } = JSON.parse(body) as { readonly Entries?: readonly Entry[] };
  if (Entries.length < 1 || Entries.length > maxEntries)
    return errorAnswer(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${maxEntries}`,
    );
  if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > maxRequestBytes)
    return errorAnswer('ValidationException', 'Total size of the entries in the request is over the limit.');
  const results = Entries.map((entry) => buses.put(entry, now));
  const FailedEntryCount = results.filter((result) => 'ErrorCode' in result).length;
  return { status: 200, body: { FailedEntryCount, Entries: results } };
};

const perform = (buses: Buses, target: string, body: string): Answer => {
  if (target !== 'AWSEvents.PutEvents')
    return errorAnswer(
      'UnknownOperationException',
      `The local stack does not know ${target || 'a request without a target'}.`,
    );
  try {
    return putEvents(buses, body, Date.now());
  } catch {
    return errorAnswer('SerializationException', 'The request was not understood.');
  }
};

const listEvents = (buses: Buses, url: URL): Answer => {
  const after = url.searchParams.get('after') ?? '0';
  if (url.pathname !== '/events' || !/^\d{1,15}$/.test(after))
    return {
      status: 400,
      body: { message: 'Ask for /events?after=<number>: 0, or the number of the last one you have.' },
    };
  return { status: 200, body: { events: buses.after(Number(after)) } };
};

const respond = async (buses: Buses, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { status, body } =
    request.method === 'GET'
      ? listEvents(buses, new URL(request.url ?? '/', 'http://local'))
      : perform(buses, String(request.headers['x-amz-target'] ?? ''), await text(request));
  const type = request.method === 'GET' ? 'application/json' : 'application/x-amz-json-1.1';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
};

/** Starts the emulator of EventBridge. It accepts every caller: the guard is in front of it. */
export const startEventBridge = async (port: number, onEvent?: (event: StoredEvent) => void) => {
  const buses = openBuses(onEvent);
  const server = createServer(forPrograms(async (request, response) => respond(buses, request, response)));
  const url = await listen(server, port);
  return {
    url,
    createBuses: buses.create,
    createRules: buses.createRules,
    report: buses.report,
    close: async () => closeServer(server),
  };
};

import type { Output } from '../../../contract/contract.ts';
import type { StackEvent, WebhookReceived } from '../events.ts';

const columns = { at: 9, ms: 8, where: 22 };

const queryName = (query: string): string => /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? 'query';

const webhookText = ({ event, isRepeated = false, verification, status }: WebhookReceived): string =>
  event === undefined
    ? `a delivery was rejected with ${status}: ${verification}`
    : `event ${event.type} of ${event.subject} arrived${isRepeated ? ' again' : ''}, signature verified`;

/** The server that reported an event, and a description. */
const describe = (event: StackEvent): { readonly where: string; readonly what: string } => {
  switch (event.type) {
    case 'answered': {
      const where = `${event.source} ${event.api === 'api' ? 'API' : 'hooks'}`;
      const location = event.location === undefined ? '' : `  Location: ${event.location}`;
      return { where, what: `${event.method} ${event.path} -> ${event.status}${location}` };
    }
    case 'invoked': {
      const start = event.cold ? 'cold start' : 'warm';
      const end = event.error === undefined ? '' : `, failed with ${event.error}`;
      return { where: `${event.source} Lambda`, what: `${event.function} (${start}, by ${event.trigger})${end}` };
    }
    case 'batch':
      return { where: 'SQS', what: `${event.messages} message(s) from ${event.queue} for ${event.function}` };
    case 'records':
      return { where: 'DynamoDB Streams', what: `${event.records} record(s) of ${event.table} for ${event.function}` };
    case 'token':
      return { where: 'identity provider', what: `POST /connect/token by ${event.clientId} -> ${event.status}` };
    case 'secret':
      return { where: 'Secrets Manager', what: `${event.action} ${event.secretId} -> ${event.status}` };
    case 'published':
      return { where: 'EventBridge', what: `${event.event['detail-type']} on the bus ${event.bus}` };
    case 'webhook':
      return { where: 'webhook receiver', what: webhookText(event) };
    case 'called':
      return { where: 'example service', what: `${event.method} ${event.path} -> ${event.status}` };
    case 'graphql':
      return { where: "shop's Admin API", what: `GraphQL ${queryName(event.query)}` };
  }
};

/** One line of the timeline: begin, duration at its server, server and description. */
export const timelineRow = (event: StackEvent, start: number): string => {
  const { where, what } = describe(event);
  // An event that began before the step is shown at the beginning of the step.
  const at = `+${(Math.max(0, event.at - start) / 1000).toFixed(3)}s`.padStart(columns.at);
  const ms = ('ms' in event ? `${Math.max(0, event.ms)} ms` : '').padStart(columns.ms);
  return `${at} ${ms}  ${where.padEnd(columns.where)} ${what}`;
};

/** The events in the order in which they began. */
export const timelineRows = (events: readonly StackEvent[], start: number): readonly string[] =>
  events.toSorted((a, b) => a.at - b.at).map((event) => timelineRow(event, start));

/** A history as a short table. */
export const historyRows = (items: Output<'getHistory'>['items']): readonly string[] =>
  items.map(({ sequence, type, at, actor, from, to }) => {
    const person = actor.onBehalfOf ?? actor.user?.name ?? actor.user?.id;
    const who = person === undefined ? actor.clientId : `${actor.clientId} for ${person}`;
    return `  ${String(sequence).padStart(3)}  ${at}  ${type.padEnd(18)} ${`${from ?? '-'} -> ${to}`.padEnd(24)} ${who}`;
  });

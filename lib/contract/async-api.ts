import Type from 'typebox';
import { extractDefinitions } from './definitions.ts';
import { changes } from './events/event-changes.ts';
import { attributes, EventData } from './events/events.ts';
import { event as example } from './events/examples.ts';

/** What testWebhookEndpoint sends, and nobody else. */
const endpointOnlyEvents = { 'webhook_endpoint.test': Type.Object({}, { additionalProperties: false }) };

/** `return.info_requested` as `ReturnInfoRequested`. */
const nameOf = (type: string): string =>
  type.replaceAll(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

const messageOf = (prefix: string, type: string, change: Type.TSchema) => ({
  name: `${prefix}.${type}`,
  title: nameOf(type),
  summary: `What is told of ${type.replaceAll(/[._]/g, ' ')}`,
  contentType: 'application/cloudevents+json',
  payload: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'data', ...Object.keys(attributes)],
    properties: {
      ...attributes,
      type: { const: `${prefix}.${type}` },
      dataomitted: { const: true, description: 'On the event bus alone: `data.change` was too large for it' },
      data: { ...EventData, $id: undefined, properties: { ...EventData.properties, change } },
    },
  },
  ...(example.type.endsWith(`.${type}`) && {
    examples: [
      { name: 'example', summary: 'An event as it is told', payload: { ...example, type: `${prefix}.${type}` } },
    ],
  }),
});

/**
 * The AsyncAPI 3.0 document of the events: what is told on the event bus, by listEvents and to webhook endpoints.
 * https://www.asyncapi.com/docs/reference/specification/v3.0.0
 *
 * @param prefix what types begin with: each deployment has its own
 */
export const asyncApi = (prefix: string) => {
  const types = Object.entries<Type.TSchema>({ ...changes, ...endpointOnlyEvents });
  const messages = Object.fromEntries(types.map(([type, change]) => [nameOf(type), messageOf(prefix, type, change)]));
  const { document, definitions } = extractDefinitions({ messages }, '#/components/schemas/');
  const { messages: described } = document as { messages: object };
  const names = Object.keys(messages);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Returns Service events',
      version: '1.0.0',
      description:
        'Structured CloudEvents 1.0 of what happened to returns, policies and endpoints. Each is told at least once, with the same `id` each time; those of a subject are in order by `sequence`. Nothing of them tells of a customer, or what people wrote.',
      contact: { name: 'Whoever runs this deployment', url: 'https://returns.example.com' },
      license: { name: 'Proprietary', url: 'https://returns.example.com' },
    },
    defaultContentType: 'application/cloudevents+json',
    channels: {
      events: {
        title: 'Events',
        description:
          'The event bus, where `source` and `detail-type` are those of the event and `detail` is the event; webhook endpoints; and listEvents.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      tell: {
        action: 'send',
        title: 'Tell what happened',
        summary: 'Each event once it is committed, at least once',
        channel: { $ref: '#/channels/events' },
        messages: names.map((name) => ({ $ref: `#/channels/events/messages/${name}` })),
      },
    },
    components: { messages: described, schemas: definitions },
  };
};

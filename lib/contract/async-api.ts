import type Type from 'typebox';
import { extractDefinitions } from './definitions.ts';
import type { Described } from './events/change-fields.ts';
import { changes } from './events/event-types.ts';
import { attributes, EventData } from './events/events.ts';
import { event as example } from './events/examples.ts';
import { closed } from './scalars.ts';

type Change = Type.TSchema & Described;

/** The events that only testWebhookEndpoint sends. */
const endpointOnlyEvents: Readonly<Record<string, Change>> = {
  'webhook_endpoint.test': Object.assign(closed({}), {
    description: 'Emitted when testWebhookEndpoint sends a test event. Only the tested endpoint receives it.',
  }),
};

/** Converts a type such as `return.info_requested` to `ReturnInfoRequested`. */
const nameOf = (type: string): string =>
  type.replaceAll(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

const messageOf = (prefix: string, type: string, change: Change) => ({
  name: `${prefix}.${type}`,
  title: nameOf(type),
  summary: change.description,
  contentType: 'application/cloudevents+json',
  payload: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'data', ...Object.keys(attributes)],
    properties: {
      ...attributes,
      type: { const: `${prefix}.${type}`, description: 'The type of the event, with the prefix of the deployment.' },
      dataomitted: {
        const: true,
        description:
          'Present only on the event bus, when `data.change` is too large for it. listEvents returns the whole event.',
      },
      data: { ...EventData, $id: undefined, properties: { ...EventData.properties, change } },
    },
  },
  ...(example.type.endsWith(`.${type}`) && {
    examples: [{ name: 'example', summary: 'A rejected return', payload: { ...example, type: `${prefix}.${type}` } }],
  }),
});

/**
 * Returns the AsyncAPI 3.0 document of the events on the event bus, in listEvents and at webhook endpoints.
 * https://www.asyncapi.com/docs/reference/specification/v3.0.0
 *
 * @param prefix the start of each type: a deployment has its own
 */
export const asyncApi = (prefix: string) => {
  const types = Object.entries<Change>({ ...changes, ...endpointOnlyEvents });
  const messages = Object.fromEntries(types.map(([type, change]) => [nameOf(type), messageOf(prefix, type, change)]));
  const { document, definitions } = extractDefinitions({ messages }, '#/components/schemas/', { refSiblings: false });
  const { messages: described } = document as { messages: object };
  const names = Object.keys(messages);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Returns Service events',
      version: '1.0.0',
      description:
        'Structured CloudEvents 1.0 about returns, policies and webhook endpoints. The service delivers each event at least once, always with the same `id`. The events of one subject are in order by `sequence`. No event contains personal data of a customer or a text that people wrote.',
      contact: { name: 'The operator of this deployment', url: 'https://returns.example.com' },
      license: { name: 'Proprietary', url: 'https://returns.example.com' },
    },
    defaultContentType: 'application/cloudevents+json',
    channels: {
      events: {
        title: 'Events',
        description:
          'Events have three channels: the event bus, webhook endpoints and listEvents. On the event bus, `source` and `detail-type` are those of the event, and `detail` is the event.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      publish: {
        action: 'send',
        title: 'Publish events',
        summary: 'Publish each committed event at least once',
        channel: { $ref: '#/channels/events' },
        messages: names.map((name) => ({ $ref: `#/channels/events/messages/${name}` })),
      },
    },
    components: { messages: described, schemas: definitions },
  };
};

import document from '#contract/asyncapi.json' with { type: 'json' };
import type { Input, Output } from '../../contract/contract.ts';
import { examplePrefix } from '../../contract/events/example-prefix.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import { eventsConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { eventServers } from './address.ts';

const config = configured(eventsConfig);

type Described = { readonly description?: string };

/** The parts of a message that depend on the deployment. */
type Message = {
  readonly name: string;
  readonly payload: { readonly properties: { readonly type: Described; readonly source: Described } };
  readonly examples?: readonly { readonly payload: { readonly type: string; readonly source: string } }[];
};

const typeOf = (built: string): string => `${config().typePrefix}${built.slice(examplePrefix.length)}`;

/** The schema of a constant, with the description that the field has. */
const withValue = ({ description }: Described, value: string): object => ({
  ...(description !== undefined && { description }),
  const: value,
});

/** A message with the types and the source of this deployment. */
const ownMessage = (message: Message): Message => {
  const { name, payload, examples } = message;
  const { source } = config();
  const { properties } = payload;
  return {
    ...message,
    name: typeOf(name),
    payload: {
      ...payload,
      properties: {
        ...properties,
        source: withValue(properties.source, source),
        type: withValue(properties.type, typeOf(name)),
      },
    },
    ...(examples !== undefined && {
      examples: examples.map((example) => ({
        ...example,
        payload: { ...example.payload, source, type: typeOf(example.payload.type) },
      })),
    }),
  };
};

const messages = perContainer(() =>
  Object.fromEntries(
    Object.entries<Message>(document.components.messages).map(([name, message]) => [name, ownMessage(message)]),
  ),
);

/**
 * Returns the events of this deployment as AsyncAPI. It has its type prefix, its source and the address of the call.
 */
export const asyncapi = async (_: Input<'asyncapi'>, call: Call): Promise<Result<Reply<Output<'asyncapi'>>>> => {
  const { asyncapi: version, info, ...rest } = document;
  const body = {
    asyncapi: version,
    info,
    ...eventServers(call),
    ...rest,
    components: { ...document.components, messages: messages() },
  };
  return ok({ status: 200, body });
};

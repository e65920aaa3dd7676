import { contract } from '../../../contract/contract.ts';
import { neutralText } from '../../../contract/neutral-text.ts';
import { opaqueIdPattern } from '../../../contract/request-path.ts';
import { aboutKeyword, matching } from '../../../contract/scalars.ts';
import { ownFields, requiredFields } from '../../../adapters/core.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';

/*
 * Makes the schemas of an adapter's deployment from those of the contract: ids are opaque, a return has the fields of the
 * core, and a request has the fields that the mapping accepts.
 */

type Schema = JsonObject;

const opaqueId = {
  type: 'string',
  ...matching(opaqueIdPattern, 'an id of 1 to 128 of A-Z, a-z, 0-9, ., _, ~, : and -, such as 12345'),
  examples: ['12345'],
};

/** Whether a schema is that of an id of a foreign service. */
export const isOpaqueId = (schema: object): boolean => 'pattern' in schema && schema.pattern === opaqueId.pattern;

const ownId = /^\^[a-z]+_\[0-7\]/;
const ownRma = '^[0-9A-HJKMNP-TV-Z]{11}$';

/** Returns the schema of a text: an id of ours is any id of the service, and its numbers of returns are any text. */
const textSchema = (schema: Schema): Schema => {
  const { pattern, [aboutKeyword]: about } = schema;
  const texts = about === undefined ? {} : { [aboutKeyword]: about };
  if (typeof pattern !== 'string') return schema;
  if (ownId.test(pattern)) return { ...opaqueId, ...texts };
  return pattern === ownRma
    ? { type: 'string', minLength: 1, maxLength: 100, examples: ['RMA-1001'], ...texts }
    : schema;
};

const mapSchema = (value: unknown, change: (schema: Schema) => Schema): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapSchema(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapSchema(inner, change)])));
};

/** Returns a plain copy of a schema, without the marks of the schema builder. */
const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

/** Returns a schema with texts that are true of any service. */
const withNeutralTexts = (schema: Schema): Schema => ({
  ...schema,
  ...Object.fromEntries(
    [aboutKeyword, 'description'].flatMap((key) => {
      const text = schema[key];
      return typeof text === 'string' ? [[key, neutralText(text)]] : [];
    }),
  ),
});

/** Returns a schema whose ids are those of the service. */
export const withOpaqueIds = (schema: object): Schema =>
  mapSchema(plain(schema), (part) => withNeutralTexts(textSchema(part))) as Schema;

const amounts: ReadonlySet<unknown> = new Set(['Money', 'MoneySum', 'SignedMoney', 'PositiveMoney']);

const propertiesOf = (schema: Schema): Readonly<Record<string, unknown>> =>
  isObject(schema['properties']) ? schema['properties'] : {};

/** The least length of a free text. Shorter texts are names and numbers. */
const freeText = 500;

const isFreeText = (schema: unknown): boolean =>
  isObject(schema) && schema['pattern'] === undefined && Number(schema['maxLength']) >= freeText;

/** The fields that answers to commands leave out besides free texts, by the name of their schema. */
const personalFields: Readonly<Record<string, readonly string[]>> = {
  Message: ['evidence'],
  Parcel: ['trackingNumber', 'trackingUrl', 'labelUrl'],
  Return: ['customer', 'evidence'],
  ReturnLine: ['evidence'],
};

const withoutPersonal = (schema: Schema): Schema => {
  const { $id: id, properties } = schema;
  if (!isObject(properties)) return schema;
  const personal = (typeof id === 'string' && personalFields[id]) || [];
  const left = Object.entries(properties).filter(
    ([name, property]) => !personal.includes(name) && !isFreeText(property),
  );
  return { ...schema, properties: Object.fromEntries(left) };
};

/** The status of a state that the adapter does not know. */
const externalStatus = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  'x-about':
    'The state in the words of the Returns Service. Present only if the adapter does not know it: `status` is then a guess, and no action is allowed.',
};

/** The schemas with a field of their own in an adapter's deployment. */
const withExternalStatus: ReadonlySet<unknown> = new Set(['Return', 'ReturnSummary']);

/** Returns the names of all schemas in a schema. */
const namesIn = (schema: unknown): readonly string[] => {
  const names: string[] = [];
  mapSchema(schema, (part) => {
    if (typeof part['$id'] === 'string') names.push(part['$id']);
    return part;
  });
  return names;
};

/** The names of the schemas that a return, its summary or a reason reaches. They mean the same in every answer. */
const coreNames: ReadonlySet<string> = new Set(
  [
    contract.getReturn.answers,
    contract.listReturns.answers.properties.items,
    contract.listReasons.answers.properties.items,
  ]
    .flatMap((schema) => namesIn(plain(schema)))
    .filter((name) => !amounts.has(name)),
);

const withoutOwnFields = (schema: Schema): Schema => {
  if (!isObject(schema['properties'])) return schema;
  const common = Object.entries(schema['properties']).filter(
    ([name]) => !(ownFields as readonly string[]).includes(name),
  );
  return { ...schema, properties: Object.fromEntries(common) };
};

/** @param inCore whether a schema without a name belongs to the core */
const relaxed = (value: unknown, lineIds: boolean, inCore: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => relaxed(item, lineIds, inCore));
  if (!isObject(value)) return value;
  const { $id: id, required } = value;
  const isCore = typeof id === 'string' ? coreNames.has(id) : inCore;
  const whole = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, relaxed(inner, lineIds, isCore)]),
  );
  const schema = isCore ? withoutOwnFields(whole) : whole;
  if (!isCore || !Array.isArray(required)) return schema;
  const kept = typeof id === 'string' ? (requiredFields[id] ?? []) : required.filter((name) => name === 'orderId');
  const lines = id === 'ReturnLine' && lineIds ? ['lineId'] : [];
  const properties = withExternalStatus.has(id) ? { ...propertiesOf(schema), externalStatus } : propertiesOf(schema);
  return { ...schema, properties, required: [...kept, ...lines] };
};

/**
 * Returns the schema of an answer: of a return, the core is required, and all else is optional.
 *
 * @param lineIds whether lines have ids, because a command needs them
 */
export const coreAnswer = (schema: object, lineIds: boolean): Schema =>
  relaxed(withOpaqueIds(schema), lineIds, false) as Schema;

/** Returns the schema of an answer to a command: the customer and free texts are in no journal. */
export const commandAnswer = (schema: object): Schema => mapSchema(plain(schema), withoutPersonal) as Schema;

/** A schema of the core means the same in every answer, and something else in a request. */
const withoutCoreName = (schema: Schema): Schema => {
  const { $id: id, ...rest } = schema;
  return typeof id === 'string' && coreNames.has(id) ? rest : schema;
};

/** Returns the field of an input that an accepted path begins with: `lines` of `lines.reason.note`. */
export const firstStep = (path: string): string => path.split('.')[0] ?? '';

/**
 * Returns the schema of an input with the accepted fields only.
 *
 * @param accepted paths such as `lines.reason.note`; a list counts as its items
 * @throws Error for a path that the schema does not have
 */
export const acceptedInput = (schema: object, accepted: readonly string[]): Schema =>
  acceptedPart(mapSchema(withOpaqueIds(schema), withoutCoreName) as Schema, accepted);

const acceptedPart = (schema: Schema, accepted: readonly string[]): Schema => {
  if (isObject(schema['items'])) return { ...schema, items: acceptedPart(schema['items'], accepted) };
  const properties = propertiesOf(schema);
  const names = new Set(accepted.map(firstStep));
  const unknown = [...names].find((name) => !(name in properties));
  if (unknown !== undefined) throw new Error(`no field ${unknown}; there are ${Object.keys(properties).join(', ')}`);
  const kept = Object.entries(properties).flatMap(([name, property]) => {
    if (!names.has(name) || !isObject(property)) return [];
    const inner = accepted.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return [[name, inner.length === 0 ? property : acceptedPart(property, inner)]];
  });
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  // The name of a schema stands for all of its fields elsewhere.
  const { $id: id, ...rest } = schema;
  const isWhole = kept.length === Object.keys(properties).length && accepted.every((path) => !path.includes('.'));
  return {
    ...rest,
    ...(isWhole && id !== undefined && { $id: id }),
    properties: Object.fromEntries(kept),
    required: required.filter((name) => names.has(name)),
  };
};

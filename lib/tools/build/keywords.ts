import { _, str, stringify, type Ajv, type AnySchema, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import names from 'ajv/dist/compile/names.js';
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import pattern from 'ajv/dist/vocabularies/validation/pattern.js';
import { maxFieldErrors } from '../../contract/validation/input-limits.ts';

type ParentSchema = {
  readonly properties?: object;
  readonly patternProperties?: object;
  /** Names to list with the properties, although the validator does not accept them. */
  readonly 'x-also'?: readonly string[];
};

/**
 * Returns the description of the expected value (`x-expected`) of a schema.
 *
 * @throws {Error} when it is missing: the message would have to show a regular expression
 */
const expectedBy = (schema: Readonly<Record<string, unknown>>): string => {
  const { 'x-expected': expected } = schema;
  if (typeof expected === 'string') return expected;
  throw new Error(`a schema has no x-expected: ${JSON.stringify(schema)}`);
};

const message = ({ parentSchema = {} }: { readonly parentSchema?: Readonly<Record<string, unknown>> }) =>
  str`must be ${expectedBy(parentSchema)}`;

/** Replaces the message of `pattern` with the expected value. A schema with a format is checked by the format alone. */
const patternInWords: CodeKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: { message: (cxt) => message(cxt), params: _`{}` },
  code: (cxt) => {
    if (cxt.parentSchema['format'] === undefined) pattern.default.code(cxt);
  },
};

/** Checks the only format, an instant. The validator writes it in UTC into the object or list that contains it. */
const instant: CodeKeywordDefinition = {
  keyword: 'format',
  type: 'string',
  schemaType: 'string',
  error: { message: (cxt) => message(cxt), params: _`{}` },
  code: (cxt) => {
    const { gen, data, it, schema } = cxt;
    if (schema !== 'date-time') throw new Error(`no validator for the format ${String(schema)}`);
    const utc = gen.const('utc', _`toUtc(${data})`);
    cxt.fail(_`${utc} === undefined`);
    const { parentData, parentDataProperty } = it;
    gen.if(_`${utc} !== undefined && ${utc} !== ${data} && ${parentData} !== undefined`, () =>
      gen.assign(_`${parentData}[${parentDataProperty}]`, utc),
    );
  },
};

/**
 * Opens a loop over input, and returns the code that ends it after as many errors as a response has. Ajv copies its
 * errors at each nested item, so the cost of a long list of invalid items would be quadratic. Each loop counts from its
 * own beginning: the errors of one alternative of `anyOf` must not end the loops of the next one.
 */
const boundLoop = ({ gen }: KeywordCxt): (() => void) => {
  const { errors } = names.default;
  const from = gen.const('from', errors);
  return () => void gen.if(_`${errors} - ${from} >= ${maxFieldErrors}`, () => gen.break());
};

/** Checks each item of a list by one schema. */
const boundedItems: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code: (cxt) => {
    const { gen, data, it } = cxt;
    if (alwaysValidSchema(it, cxt.schema)) return;
    const endAtLimit = boundLoop(cxt);
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, gen.name('valid'));
      endAtLimit();
    });
  },
};

/** Checks the values of a map by the pattern of their names. */
const boundedMap: CodeKeywordDefinition = {
  keyword: 'patternProperties',
  type: 'object',
  schemaType: 'object',
  code: (cxt) => {
    const { gen, data, it } = cxt;
    for (const [regex, schema] of Object.entries(cxt.schema as Record<string, AnySchema>)) {
      if (alwaysValidSchema(it, schema)) continue;
      const endAtLimit = boundLoop(cxt);
      gen.forIn('key', data, (name) => {
        gen.if(_`${usePattern(cxt, regex)}.test(${name})`, () => {
          const part = { keyword: 'patternProperties', schemaProp: regex, dataProp: name, dataPropType: Type.Str };
          cxt.subschema(part, gen.name('valid'));
        });
        endAtLimit();
      });
    }
  },
};

/** Keywords of Ajv whose loops have no limit. A schema that uses one of them does not compile. */
const unboundedKeywords = ['additionalItems', 'contains', 'propertyNames'];

/** Checks the fields of a closed object. An error lists them, or describes the names of a map. */
const closedObject: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: 'boolean',
  error: {
    message: ({ parentSchema }) =>
      parentSchema?.['patternProperties'] === undefined ? str`unknown field` : message({ parentSchema }),
    params: ({ params }) => _`{additionalProperty: ${params['name']}, allowed: ${params['allowed']}}`,
  },
  code: (cxt) => {
    const { gen, data, parentSchema, schema } = cxt;
    if (schema !== false) throw new Error('additionalProperties can only be false');
    const { properties = {}, patternProperties = {}, 'x-also': also = [] } = parentSchema as ParentSchema;
    const listOf = (names: readonly string[]) => gen.scopeValue('obj', { ref: names, code: stringify(names) });
    const known = listOf(Object.keys(properties));
    const allowed = also.length === 0 ? known : listOf([...Object.keys(properties), ...also]);
    // The words of the schema describe the names of a map.
    const isMap = Object.keys(patternProperties).length > 0;
    const endAtLimit = boundLoop(cxt);
    gen.forIn('name', data, (name) => {
      const isKnown = Object.keys(patternProperties).reduce(
        (others, regex) => _`${others} || ${usePattern(cxt, regex)}.test(${name})`,
        _`${known}.includes(${name})`,
      );
      gen.if(_`!(${isKnown})`, () => {
        cxt.setParams({ name, allowed: isMap ? _`undefined` : allowed });
        cxt.error();
      });
      endAtLimit();
    });
  },
};

/**
 * Checks that items differ in linear time: Ajv compares each pair. A list that is too long fails only for its length.
 */
const distinctItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must not have the same item twice', params: _`{}` },
  code: (cxt) => {
    const { data, parentSchema } = cxt;
    const { maxItems } = parentSchema;
    if (typeof maxItems !== 'number') throw new Error('a list of distinct items needs maxItems');
    cxt.fail(_`${data}.length <= ${maxItems} && !areDistinct(${data})`);
  },
};

/**
 * Replaces keywords whose messages show regular expressions or too little, and those whose cost has no limit. The first
 * are `pattern`, `format` and `additionalProperties`; the others `items`, `patternProperties` and `uniqueItems`. The
 * messages are compiled into the validators, so no function needs a table of them.
 */
export const addKeywords = (ajv: Ajv): void => {
  ajv.addVocabulary(['x-expected', 'x-also']);
  for (const name of unboundedKeywords) ajv.removeKeyword(name);
  for (const keyword of [boundedItems, boundedMap, patternInWords, instant, closedObject, distinctItems]) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
};

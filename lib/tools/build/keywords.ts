import { _, str, stringify, type Ajv, type CodeKeywordDefinition } from 'ajv';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import pattern from 'ajv/dist/vocabularies/validation/pattern.js';

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
    const names = listOf(Object.keys(properties));
    const allowed = also.length === 0 ? names : listOf([...Object.keys(properties), ...also]);
    // The words of the schema describe the names of a map.
    const isMap = Object.keys(patternProperties).length > 0;
    gen.forIn('name', data, (name) => {
      const isKnown = Object.keys(patternProperties).reduce(
        (others, regex) => _`${others} || ${usePattern(cxt, regex)}.test(${name})`,
        _`${names}.includes(${name})`,
      );
      gen.if(_`!(${isKnown})`, () => {
        cxt.setParams({ name, allowed: isMap ? _`undefined` : allowed });
        cxt.error();
      });
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
 * Replaces keywords whose messages show regular expressions or too little, and `uniqueItems`. The former are `pattern`,
 * `format` and `additionalProperties`. The cost of Ajv's `uniqueItems` is quadratic. The messages are compiled into the
 * validators, so no function needs a table of them.
 */
export const addKeywords = (ajv: Ajv): void => {
  ajv.addVocabulary(['x-expected', 'x-also']);
  for (const keyword of [patternInWords, instant, closedObject, distinctItems]) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
};

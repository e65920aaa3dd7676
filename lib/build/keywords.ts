import { _, str, stringify, type Ajv, type CodeKeywordDefinition } from 'ajv';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import pattern from 'ajv/dist/vocabularies/validation/pattern.js';

type ParentSchema = {
  readonly properties?: object;
  readonly patternProperties?: object;
  /** Names to list with the properties, although the validator does not take them. */
  readonly 'x-also'?: readonly string[];
};

/**
 * Reads the words that a schema has for what it expects.
 *
 * @throws {Error} when there are none: a message would have to repeat a regular expression
 */
const expectedBy = (schema: Readonly<Record<string, unknown>>): string => {
  const { 'x-expected': expected } = schema;
  if (typeof expected === 'string') return expected;
  throw new Error(`a schema has no x-expected: ${JSON.stringify(schema)}`);
};

const message = ({ parentSchema = {} }: { readonly parentSchema?: Readonly<Record<string, unknown>> }) =>
  str`must be ${expectedBy(parentSchema)}`;

/** The message for a text that does not match says what is expected. Where a format is given too, the format alone decides. */
const patternInWords: CodeKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: { message: (cxt) => message(cxt), params: _`{}` },
  code: (cxt) => {
    if (cxt.parentSchema['format'] === undefined) pattern.default.code(cxt);
  },
};

/** The one format is an instant. The validator writes it in UTC into the object or list that holds it. */
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

/** The fields of a closed object. An error has the list of them, or for a map the words for its names. */
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

/** Ajv compares each pair of objects. A list that is too long is refused for that alone. */
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
 * Replaces the keywords whose own messages hold regular expressions, or say too little: `pattern`, `format` and
 * `additionalProperties`. And `uniqueItems`, whose cost is quadratic. The words stand in the compiled validators, so that no function carries a table of them.
 */
export const addKeywords = (ajv: Ajv): void => {
  // Compiles the schema of schemas while the keywords are still Ajv's own.
  if (ajv.validateSchema({}) !== true) throw new Error('the schema of schemas does not compile');
  ajv.addVocabulary(['x-expected', 'x-also']);
  for (const keyword of [patternInWords, instant, closedObject, distinctItems]) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
};

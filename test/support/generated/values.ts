import fc from 'fast-check';
import type { Json, Schema } from './document.ts';

export type Values = fc.Arbitrary<Json>;

/**
 * Returns the values of a place, instead of any number or text that fits. A place is the path of names, without lists.
 */
export type Hint = (path: string) => Values | undefined;

/** Names and texts with a meaning to a language, a store or a screen. */
const awkward = [
  '__proto__',
  'constructor',
  'toString',
  '"',
  '\\',
  '\u0000',
  '\u2028',
  '\ufeff',
  '💥',
  'e\u0301',
  '%2F',
];

const sometimes = <T>(usual: fc.Arbitrary<T>, weight: number, ...rare: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight }, ...rare.map((arbitrary) => ({ arbitrary, weight: 1 })));

/** RFC 3339 with one of these offsets, and zero, three or nine digits of a second. */
const instants = (min: string, max: string, ...offsets: readonly string[]) =>
  fc
    .tuple(
      fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }),
      fc.constantFrom('', '.123', '.123456789'),
      fc.constantFrom(...offsets),
    )
    .map(([date, fraction, offset]) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`);

/** Instants in the past. */
export const earlierInstants = instants('2020-01-01T00:00:00Z', '2026-06-01T00:00:00Z', 'Z', 'Z', '+01:00', '-11:30');
const anyInstants = instants('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'Z');

const madeOf = (pattern: string, maxLength: number): fc.Arbitrary<string> => {
  // The generator does not support lookaheads. The filter removes its invalid values.
  const usual = pattern.replaceAll(/\(\?!.*?\)/g, '');
  const maximum = usual.replaceAll(/\{\d+,(\d+)\}/g, '{$1}').replaceAll(')?', ')');
  const of = (source: string, size: fc.SizeForArbitrary) =>
    fc.stringMatching(new RegExp(source, 'u'), { maxLength, size });
  return sometimes(of(usual, 'small'), 20, of(usual, 'max'), of(maximum, 'small'));
};

const known = new Map<string, fc.Arbitrary<string>>();

/** Generators by pattern: the generator takes ten milliseconds to parse that of an id. */
const matching = (pattern: string, maxLength: number): fc.Arbitrary<string> => {
  const name = `${maxLength} ${pattern}`;
  const created = known.get(name) ?? madeOf(pattern, maxLength);
  known.set(name, created);
  return created;
};

const texts = ({ pattern, format, minLength = 0, maxLength = 500 }: Schema): fc.Arbitrary<string> => {
  const regex = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const fits = (text: string) => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength && (regex?.test(text) ?? true);
  };
  if (format === 'date-time') return sometimes(earlierInstants, 4, anyInstants).filter(fits);
  if (format === 'date') return anyInstants.map((instant) => instant.slice(0, 10)).filter((day) => /^\d{4}-/.test(day));
  const rare = awkward.filter(fits);
  const usual =
    pattern === undefined
      ? fc.oneof(
          fc.string({ minLength, maxLength, unit: 'grapheme' }),
          fc.string({ minLength, maxLength, unit: 'binary' }),
        )
      : matching(pattern, maxLength);
  const maximum = 'x'.repeat(maxLength);
  return sometimes(
    usual.filter(fits),
    20,
    ...(rare.length === 0 ? [] : [fc.constantFrom(...rare)]),
    ...(fits(maximum) ? [fc.constant(maximum)] : []),
  );
};

const lists = (items: Values, { minItems = 0, maxItems = 20, uniqueItems = false }: Schema): fc.Arbitrary<Json[]> => {
  const of = (size: fc.SizeForArbitrary) =>
    uniqueItems
      ? fc.uniqueArray(items, {
          minLength: minItems,
          maxLength: maxItems,
          size,
          selector: (item) => JSON.stringify(item),
        })
      : fc.array(items, { minLength: minItems, maxLength: maxItems, size });
  return sometimes(of('-1'), 40, of('max'));
};

const isInRange = (value: Json, { minimum = -Infinity, maximum = Infinity }: Schema): boolean =>
  typeof value !== 'number' || (value >= minimum && value <= maximum);

type Members = readonly (readonly [name: string, value: Json])[];

/** The references that a generator is inside of. */
type Open = readonly string[];

/** Creates generators of the values that a schema allows. */
export const valuesOf = (resolve: (schema: Schema) => Schema, hint: Hint = () => undefined) => {
  /** Generates members whose names match a pattern, or any others. */
  const others = (schema: Schema, path: string, open: Open): fc.Arbitrary<Members> => {
    const {
      patternProperties = {},
      propertyNames = { maxLength: 20 },
      additionalProperties,
      maxProperties = 20,
    } = schema;
    const kinds = Object.entries(patternProperties).map(([pattern, inner]) =>
      fc.tuple(texts({ pattern }), of(inner, `${path}.*`, open)),
    );
    if (typeof additionalProperties === 'object') {
      const names = texts(propertyNames).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
      kinds.push(fc.tuple(names, of(additionalProperties, `${path}.*`, open)));
    }
    if (kinds.length === 0) return fc.constant([]);
    return fc.uniqueArray(fc.oneof(...kinds), { maxLength: maxProperties, selector: ([name]) => name });
  };

  const objects = (schema: Schema, path: string, open: Open): Values => {
    const { properties = {}, required = [], minProperties = 0 } = schema;
    const named = Object.entries(properties).map(([name, inner]) => [name, of(inner, `${path}.${name}`, open)]);
    const known = fc.record(Object.fromEntries(named) as Record<string, Values>, { requiredKeys: [...required] });
    // Members instead of assignments: a name may be `__proto__`.
    const whole = fc
      .tuple(known, others(schema, path, open))
      .map(([one, two]) => Object.fromEntries([...two, ...Object.entries(one)]));
    return whole.filter((value) => Object.keys(value).length >= minProperties);
  };

  const ofType = (type: string, schema: Schema, path: string, open: Open): Values => {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({
          min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
          max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
        });
      case 'number':
        return fc.double({ min: schema.minimum ?? -1e300, max: schema.maximum ?? 1e300, noNaN: true });
      case 'string':
        return texts(schema);
      case 'array':
        return lists(of(schema.items ?? {}, path, open), schema);
      case 'object':
        return objects(schema, path, open);
      default:
        return fc.jsonValue({ maxDepth: 2 }) as Values;
    }
  };

  /** A schema inside itself is generated without the branches that hold it again, so that values end. */
  const endingBranches = (branches: readonly Schema[], ref: string | undefined, open: Open): readonly Schema[] =>
    ref === undefined || !open.includes(ref)
      ? branches
      : branches.filter((branch) => !JSON.stringify(resolve(branch)).includes(`"${ref}"`));

  const of = (unresolved: Schema, path = '', outer: Open = []): Values => {
    const { $ref } = unresolved;
    const open = $ref === undefined ? outer : [...outer, $ref];
    const schema = resolve(unresolved);
    const hinted = schema.type === 'object' || schema.type === 'array' ? undefined : hint(path);
    if (hinted !== undefined) return hinted.filter((value) => isInRange(value, schema));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const { anyOf, oneOf, ...rest } = schema;
    const branches = anyOf ?? oneOf;
    if (branches !== undefined)
      return fc.oneof(
        ...endingBranches(branches, $ref, outer).map((branch) => of({ ...rest, ...resolve(branch) }, path, open)),
      );
    const types = [schema.type ?? 'any'].flat();
    return fc.oneof(...types.map((type) => ofType(type, schema, path, open)));
  };
  return of;
};

import { isObject } from '../../runtime/json.ts';
import { openCircles } from './circles.ts';
import { UnreadableDescription } from './failure.ts';
import { isNullable } from './fields.ts';
import { maxTypes, maxWords } from './limits.ts';
import { literal, memberName, shown, typeName, uniqueName } from './names.ts';
import { itemsOf, memberOf, membersOf, type Place, placeIn, referenceOf, referred, textOf } from './pointer.ts';

/** Makes the TypeScript types of the schemas that an adapter reaches. */
export type ServiceTypes = {
  /** Returns the name of the type of a schema. A schema without a name gets `name`. */
  readonly typeOf: (schema: Place, name: string) => string;
  /** Returns all declarations. */
  readonly declarations: () => readonly string[];
  /** What the types could not say. */
  readonly gaps: ReadonlySet<string>;
};

const plainTypes: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** Puts a type of several parts in parentheses. */
const grouped = (type: string): string => (/[|&]|^readonly /.test(type) ? `(${type})` : type);

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? '') : distinct.map(grouped).join(' | ');
};

const literalOf = (value: unknown): string => {
  if (typeof value === 'string') return literal(value);
  return value === null || typeof value === 'boolean' || Number.isFinite(value) ? String(value) : 'unknown';
};

const partNames = ['allOf', 'oneOf', 'anyOf'] as const;

/** Returns what a schema refers to outside of any object or list: a type alias may not reach itself by these. */
const directReferences = (root: unknown, schema: Place): readonly Place[] => {
  const reference = referenceOf(schema.value);
  if (reference !== undefined) return [referred(root, reference, schema.at)];
  return partNames.flatMap((name) => itemsOf(placeIn(schema, name))).flatMap((part) => directReferences(root, part));
};

type Position = {
  /** The alias that contains the schema. */
  readonly alias: Place;
  /** Whether no object or list lies between the alias and the schema. */
  readonly isDirect: boolean;
};

/** Begins a file of types for one description. */
export const startServiceTypes = (root: unknown): ServiceTypes => {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  const open: Place[] = [];
  const gaps = new Set<string>();
  const isCircle = openCircles((place) => directReferences(root, place));

  const declare = (place: Place, wanted: string): string => {
    const known = names.get(place.at);
    if (known !== undefined) return known;
    if (names.size >= maxTypes)
      throw new UnreadableDescription('too_many_schemas', place.at, `at most ${maxTypes} schemas of the operations`);
    const name = uniqueName(taken, typeName(wanted));
    names.set(place.at, name);
    open.push(place);
    return name;
  };

  const named = (reference: string, at: string, { alias, isDirect }: Position): string => {
    const place = referred(root, reference, at);
    if (isDirect && isCircle(place, alias)) {
      gaps.add(`the schema ${shown(alias.at)} contains itself, so its type has no such part`);
      return 'unknown';
    }
    return declare(place, reference.slice(reference.lastIndexOf('/') + 1));
  };

  const objectType = (schema: Place, position: Position): string => {
    const required = new Set(itemsOf(placeIn(schema, 'required')).map(({ value }) => value));
    const members = membersOf(placeIn(schema, 'properties'));
    const inner = { ...position, isDirect: false };
    if (members.length > 0)
      return `{ ${members
        .map(
          ([name, member]) =>
            `readonly ${memberName(name)}${required.has(name) ? '' : '?'}: ${typeText(member, inner)};`,
        )
        .join(' ')} }`;
    const rest = placeIn(schema, 'additionalProperties');
    return `{ readonly [name: string]: ${isObject(rest.value) ? typeText(rest, inner) : 'unknown'} }`;
  };

  const typeByName = (type: unknown, schema: Place, position: Position): string => {
    if (type === 'object') return objectType(schema, position);
    if (type === 'array')
      return `readonly ${grouped(typeText(placeIn(schema, 'items'), { ...position, isDirect: false }))}[]`;
    return plainTypes.get(textOf(type) ?? '') ?? 'unknown';
  };

  /** Returns the type that the schema itself states, without its parts; undefined without one. */
  const ownType = (schema: Place, position: Position): string | undefined => {
    const words = itemsOf(placeIn(schema, 'enum')).map(({ value }) => value);
    if (words.length > 0 && words.length <= maxWords) return union(words.map(literalOf));
    if (words.length > 0) gaps.add(`${shown(schema.at)} has more than ${maxWords} words, so its type is wider`);
    const single = placeIn(schema, 'const').value;
    if (single !== undefined) return literalOf(single);
    if (memberOf(schema.value, 'type') === 'null') return 'null';
    const has = (name: string): boolean => memberOf(schema.value, name) !== undefined;
    if (has('properties')) return objectType(schema, position);
    if (has('items')) return typeByName('array', schema, position);
    const types = [memberOf(schema.value, 'type')].flat().filter((type) => type !== undefined && type !== 'null');
    const hasParts = partNames.some(has);
    if (types.length === 0) return has('additionalProperties') && !hasParts ? objectType(schema, position) : undefined;
    return hasParts && types.includes('object')
      ? undefined
      : union(types.map((name) => typeByName(name, schema, position)));
  };

  const partTypes = (schema: Place, name: string, position: Position): readonly string[] =>
    itemsOf(placeIn(schema, name)).map((part) => typeText(part, position));

  const typeText = (schema: Place, position: Position): string => {
    if (schema.value === false) return 'never';
    if (!isObject(schema.value)) return 'unknown';
    const reference = referenceOf(schema.value);
    if (reference !== undefined) return named(reference, schema.at, position);
    const own = ownType(schema, position);
    const variants = ['oneOf', 'anyOf']
      .map((name) => partTypes(schema, name, position))
      .filter((types) => types.length > 0)
      .map(union);
    const parts = [...(own === undefined ? [] : [own]), ...partTypes(schema, 'allOf', position), ...variants].filter(
      (type) => type !== 'unknown',
    );
    const text =
      parts.length === 0 ? 'unknown' : parts.length === 1 ? (parts[0] ?? '') : parts.map(grouped).join(' & ');
    return isNullable(schema.value) && text !== 'unknown' ? `${grouped(text)} | null` : text;
  };

  return {
    gaps,
    typeOf: (schema, name) => {
      const reference = referenceOf(schema.value);
      return reference === undefined
        ? declare(schema, name)
        : named(reference, schema.at, { alias: schema, isDirect: false });
    },
    declarations: () => {
      const texts: string[] = [];
      for (let place = open.shift(); place !== undefined; place = open.shift())
        texts.push(`export type ${names.get(place.at) ?? ''} = ${typeText(place, { alias: place, isDirect: true })};`);
      return texts;
    },
  };
};

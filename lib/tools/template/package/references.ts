import { isObject, type JsonObject } from '../../../runtime/json.ts';

/*
 * The references of a CloudFormation template: `Ref`, `Fn::GetAtt` and the variables of `Fn::Sub`.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */

export type Reference = {
  /** A logical id, or the name of a parameter. */
  readonly id: string;
  /** Absent for `Ref`. */
  readonly attribute?: string;
};

type Replace = (reference: Reference) => Reference;

const parse = (text: string): Reference => {
  const [id = '', ...rest] = text.split('.');
  return rest.length === 0 ? { id } : { id, attribute: rest.join('.') };
};

/** Returns the intrinsic of a reference. */
export const intrinsicOf = ({ id, attribute }: Reference): object =>
  attribute === undefined ? { Ref: id } : { 'Fn::GetAtt': [id, attribute] };

const inText = (text: string, variables: JsonObject, replace: Replace): string =>
  text.replaceAll(/\$\{([^!}][^}]*)\}/g, (whole, name: string) => {
    // Pseudo parameters have the same value in each stack.
    if (Object.hasOwn(variables, name) || name.startsWith('AWS::')) return whole;
    const { id, attribute } = replace(parse(name));
    return attribute === undefined ? `\${${id}}` : `\${${id}.${attribute}}`;
  });

const substitution = (argument: unknown, replace: Replace): unknown => {
  if (typeof argument === 'string') return inText(argument, {}, replace);
  const [text, variables] = argument as readonly [string, JsonObject];
  return [inText(text, variables, replace), mapReferences(variables, replace)];
};

/** Returns a value of a template with all of its references replaced. */
export const mapReferences = (value: unknown, replace: Replace): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  if (!isObject(value)) return value;
  const { Ref: target, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value;
  if (typeof target === 'string') return target.startsWith('AWS::') ? value : intrinsicOf(replace({ id: target }));
  if (attribute !== undefined) {
    const path = Array.isArray(attribute) ? attribute.map(String).join('.') : (attribute as string);
    return intrinsicOf(replace(parse(path)));
  }
  if (text !== undefined) return { 'Fn::Sub': substitution(text, replace) };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapReferences(item, replace)]));
};

/** Returns the names of the conditions that a value of a template, or a condition, uses. */
export const conditionsIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(conditionsIn);
  if (!isObject(value)) return [];
  const { 'Fn::If': choice, Condition: named } = value;
  return [
    ...(Array.isArray(choice) && typeof choice[0] === 'string' ? [choice[0]] : []),
    ...(typeof named === 'string' ? [named] : []),
    ...Object.values(value).flatMap(conditionsIn),
  ];
};

/** Returns some conditions with all that they use, in the order of the template. */
export const withUsed = (
  conditions: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> => {
  const used = new Set<string>();
  const add = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    conditionsIn(conditions[name]).forEach(add);
  };
  names.forEach(add);
  return Object.fromEntries(Object.entries(conditions).filter(([name]) => used.has(name)));
};

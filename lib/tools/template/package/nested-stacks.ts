import { conditionsIn, intrinsicOf, mapReferences, type Reference, withUsed } from './references.ts';

/*
 * A stack holds at most 500 resources, and its template 1 MB. The functions of both modes with their versions, aliases
 * and deployment groups exceed that. So the packaged template is split: each group of functions becomes a nested stack.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-nested-stacks.html
 */

export type Resource = {
  readonly Type: string;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly Properties?: Readonly<Record<string, unknown>>;
};

type Output = { readonly Value: unknown; readonly Condition?: string };

export type StackTemplate = {
  readonly AWSTemplateFormatVersion?: string;
  readonly Description?: string;
  readonly Parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, Output>>;
};

export type SplitTemplate = {
  readonly root: StackTemplate;
  /** The templates of the nested stacks, by their logical ids in the root. */
  readonly nested: ReadonlyMap<string, StackTemplate>;
};

type SplitOptions = {
  /** Returns the logical id of the nested stack that holds a resource; undefined for the root. */
  readonly stackOf: (logicalId: string) => string | undefined;
  /** Returns the URL of a nested template, as a value of the root. */
  readonly urlOf: (stackId: string) => unknown;
};

/** Returns the name of the output, or of the parameter, that carries a value between stacks. */
const carrierOf = ({ id, attribute = '' }: Reference): string => `${id}${attribute.replaceAll(/[^A-Za-z0-9]/g, '')}`;

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

/**
 * Splits a template into a root and nested stacks. A value that another stack needs becomes an output of its stack, and
 * a parameter of the other. The root checks the values of parameters, so nested stacks repeat no limits.
 */
export const splitTemplate = (template: StackTemplate, { stackOf, urlOf }: SplitOptions): SplitTemplate => {
  const { Parameters = {}, Conditions = {}, Resources, Outputs = {} } = template;
  const outputs = new Map<string, Map<string, Output>>();
  const conditionOf = (id: string) => {
    const condition = Resources[id]?.Condition;
    return condition === undefined ? {} : { Condition: condition };
  };

  /** Returns a reference as the root sees it. A resource of a nested stack becomes an output of that stack. */
  const inRoot = (reference: Reference): Reference => {
    const stack = stackOf(reference.id);
    if (stack === undefined) return reference;
    const name = carrierOf(reference);
    const own = outputs.get(stack) ?? new Map<string, Output>();
    outputs.set(stack, own.set(name, { Value: intrinsicOf(reference), ...conditionOf(reference.id) }));
    return { id: stack, attribute: `Outputs.${name}` };
  };

  /** Returns the value of a nested stack's parameter. A resource may be absent; its users are then absent, too. */
  const parameterValue = (reference: Reference): unknown => {
    const value = intrinsicOf(inRoot(reference));
    const { Condition } = conditionOf(reference.id);
    return Condition === undefined ? value : { 'Fn::If': [Condition, value, ''] };
  };

  const nest = (stack: string, ids: readonly string[]) => {
    const values = new Map<string, unknown>();
    const types = new Map<string, unknown>();
    const inNested = (reference: Reference): Reference => {
      if (stackOf(reference.id) === stack) return reference;
      const name = carrierOf(reference);
      values.set(name, parameterValue(reference));
      types.set(name, Parameters[reference.id]?.['Type'] ?? 'String');
      return { id: name };
    };
    const resources = ids.map((id): [string, Resource] => {
      const { DependsOn, ...resource } = Resources[id] as Resource;
      const inside = listOf(DependsOn).filter((other) => stackOf(other) === stack);
      const mapped = mapReferences(resource, inNested) as Resource;
      return [id, inside.length === 0 ? mapped : { ...mapped, DependsOn: inside }];
    });
    const conditions = withUsed(
      Conditions,
      ids.flatMap((id) => conditionsIn(Resources[id])),
    );
    const nestedConditions = mapReferences(conditions, inNested) as Record<string, unknown>;
    const outside = ids.flatMap((id) => listOf(Resources[id]?.DependsOn)).filter((other) => stackOf(other) !== stack);
    const parameters = Object.fromEntries([...types].map(([name, Type]) => [name, { Type }]));
    const body = { Parameters: parameters, Conditions: nestedConditions, Resources: Object.fromEntries(resources) };
    return { body, values: Object.fromEntries(values), dependsOn: outside.map((other) => stackOf(other) ?? other) };
  };

  const byStack = Map.groupBy(Object.keys(Resources), stackOf);
  const stacks = [...byStack].flatMap(([stack, ids]) => (stack === undefined ? [] : [{ stack, ...nest(stack, ids) }]));
  const rootResources = (byStack.get(undefined) ?? []).map((id): [string, Resource] => {
    const { DependsOn, ...resource } = Resources[id] as Resource;
    const dependsOn = [...new Set(listOf(DependsOn).map((other) => stackOf(other) ?? other))];
    const mapped = mapReferences(resource, inRoot) as Resource;
    return [id, dependsOn.length === 0 ? mapped : { ...mapped, DependsOn: dependsOn }];
  });
  const root: StackTemplate = {
    ...template,
    Resources: {
      ...Object.fromEntries(rootResources),
      ...Object.fromEntries(
        stacks.map(({ stack, values, dependsOn }) => [
          stack,
          {
            Type: 'AWS::CloudFormation::Stack',
            ...(dependsOn.length > 0 && { DependsOn: [...new Set(dependsOn)] }),
            Properties: { TemplateURL: urlOf(stack), Parameters: values },
          },
        ]),
      ),
    },
    Outputs: mapReferences(Outputs, inRoot) as Readonly<Record<string, Output>>,
  };
  const nested = new Map(
    stacks.map(({ stack, body }): [string, StackTemplate] => [
      stack,
      {
        AWSTemplateFormatVersion: '2010-09-09',
        Description: `Functions of the Returns bundle: ${stack}`,
        ...body,
        Outputs: Object.fromEntries(outputs.get(stack) ?? []),
      },
    ]),
  );
  return { root, nested };
};

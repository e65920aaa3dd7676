import { sha256 } from '../../runtime/hash.ts';

/*
 * CloudFormation publishes a version when its logical id changes, and a version holds code, settings and variables of
 * its function. So the id ends with a hash of all of them. Otherwise a changed parameter would not reach the alias.
 */

type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

export type VersionedTemplate = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
};

type Surroundings = {
  /** The hash of a function's code, by the handler of its settings. */
  readonly codeHash: (handler: string) => string;
  /** A value for every parameter of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** The digits of the hash: 48 bits. */
const digits = 12;

/** Roles keep their ARN when their permissions change, and versions and aliases follow from the function. */
const isRead = (type: string): boolean => !/^AWS::(IAM::|Lambda::)/.test(type);

/**
 * Returns what a value of the template depends on: resources whose address it may hold, conditions, and values of
 * parameters. A replaced queue or table has another address, which the variables then hold.
 */
const dependenciesOf = (start: unknown, definitions: ReadonlyMap<string, unknown>): readonly unknown[] => {
  const found = new Map<string, unknown>();
  const add = (value: unknown): void => {
    for (const word of JSON.stringify(value ?? {}).match(/[A-Za-z0-9]+/g) ?? []) {
      if (found.has(word) || !definitions.has(word)) continue;
      found.set(word, definitions.get(word));
      add(definitions.get(word));
    }
  };
  add(start);
  return [...found.keys()].toSorted().map((name) => [name, found.get(name)]);
};

/**
 * Returns the logical ids of the versions of a deployment, by their ids in the package.
 *
 * @param template the whole template of the package, before its split
 */
export const versionIds = (
  { Resources, Conditions = {} }: VersionedTemplate,
  { codeHash, parameters }: Surroundings,
): ReadonlyMap<string, string> => {
  const definitions = new Map<string, unknown>([
    ...Object.entries(Resources).filter(([, { Type }]) => isRead(Type)),
    ...Object.entries(Conditions),
    ...Object.entries(parameters),
  ]);
  return new Map(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::Lambda::Version')
      .map(([id]): [string, string] => {
        const { Code: _, ...settings } = Resources[`${id.replace(/Version$/, '')}LambdaFunction`]?.Properties ?? {};
        const parts = [codeHash(String(settings['Handler'])), settings, dependenciesOf(settings, definitions)];
        return [id, `${id}${sha256(JSON.stringify(parts), 'hex').slice(0, digits)}`];
      }),
  );
};

/** Returns a template, as JSON, with the logical ids of its versions replaced. */
export const withVersionIds = (template: string, ids: ReadonlyMap<string, string>): string =>
  template.replaceAll(/"(\w+Version)"/g, (whole, id: string) => {
    const renamed = ids.get(id);
    return renamed === undefined ? whole : `"${renamed}"`;
  });

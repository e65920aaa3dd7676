import { sha256 } from '../runtime/hash.ts';

/*
 * CloudFormation publishes a version when its logical id changes, and a version holds code, settings and variables of
 * its function. So the id ends with a hash of all of them. Otherwise a changed parameter would not reach the alias.
 */

type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

export type VersionedTemplate = { readonly Resources: Readonly<Record<string, Resource>> };

type Surroundings = {
  /** The hash of a function's code, by the handler of its settings. */
  readonly codeHash: (handler: string) => string;
  /** A value for every parameter of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** The digits of the hash: 48 bits. */
const digits = 12;

/** Roles keep their ARN when their permissions change. */
const isRead = ({ Type }: Resource): boolean => Type !== 'AWS::IAM::Role';

/** Returns the logical ids that the text of a value names. */
const namedIn = (value: unknown, ids: ReadonlySet<string>): readonly string[] => {
  const words = JSON.stringify(value ?? {}).match(/[A-Za-z0-9]+/g) ?? [];
  return [...new Set(words)].filter((word) => ids.has(word)).toSorted();
};

/**
 * Returns the logical ids of the versions of a deployment, by their ids in the package.
 *
 * @param template the whole template of the package, before its split
 */
export const versionIds = (
  { Resources }: VersionedTemplate,
  { codeHash, parameters }: Surroundings,
): ReadonlyMap<string, string> => {
  const ids = new Set(Object.keys(Resources));
  const names = Object.keys(parameters).toSorted();
  const values = names.map((name) => [name, parameters[name]]);
  return new Map(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::Lambda::Version')
      .map(([id]): [string, string] => {
        const { Code: _, ...settings } = Resources[`${id.replace(/Version$/, '')}LambdaFunction`]?.Properties ?? {};
        // A replaced queue or table has another address, which the variables then hold.
        const used = namedIn(settings, ids)
          .map((name) => Resources[name])
          .filter((resource) => resource !== undefined && isRead(resource));
        const hash = sha256(JSON.stringify([codeHash(String(settings['Handler'])), settings, used, values]), 'hex');
        return [id, `${id}${hash.slice(0, digits)}`];
      }),
  );
};

/** Returns a template, as JSON, with the logical ids of its versions replaced. */
export const withVersionIds = (template: string, ids: ReadonlyMap<string, string>): string =>
  template.replaceAll(/"(\w+Version)"/g, (whole, id: string) => {
    const renamed = ids.get(id);
    return renamed === undefined ? whole : `"${renamed}"`;
  });

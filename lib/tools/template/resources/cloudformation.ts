/** Returns a name with a capital first letter, as logical ids have it. */
export const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Returns the logical id that osls gives a function. */
export const functionId = (name: string): string => `${capitalised(name)}LambdaFunction`;

/** The alias of each function that all callers and triggers use. A deployment moves it from version to version. */
export const liveAlias = 'live';

/** Returns the logical id of a function's alias. */
export const aliasId = (name: string): string => `${capitalised(name)}Live`;

/** Returns the logical id of a function's version in the package. A deployment adds a hash to it. */
export const versionId = (name: string): string => `${capitalised(name)}Version`;

/** Returns the ARN of a function's alias. */
export const liveArn = (name: string) => ({ Ref: aliasId(name) });

export type Resource = Readonly<Record<string, unknown>>;

/** A part of the template, as an entry of `resources` in serverless.yml. */
export type TemplatePart = {
  readonly Parameters?: Readonly<Record<string, object>>;
  readonly Conditions?: Readonly<Record<string, object>>;
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, object>>;
  /** Changes of resources that osls makes. */
  readonly extensions?: Readonly<Record<string, Resource>>;
};

/** Returns the condition of a resource, if it has one. */
export const underCondition = (condition: string | undefined) =>
  condition === undefined ? {} : { Condition: condition };

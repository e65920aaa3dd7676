import { fail, ok, type Result } from '../../runtime/result.ts';
import { modes, type Mode } from '../template/functions/function-row.ts';
import { ownAdapter } from '../template/offer.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';

/** The settings of a stage: lib/tools/deploy/stages/<stage>.json. */
export type Stage = {
  readonly mode: Mode;
  /** The adapter of the connected mode: a folder in lib/adapters. Absent for a service with our own contract. */
  readonly adapter?: string;
  readonly region: string;
  /** Values by the parameter names of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** What a person reads about a name that is none. */
export const stageNameRule = 'Begin with a lowercase letter, then use lowercase letters, digits and -.';

export const stagesFolder = 'lib/tools/deploy/stages';

/** Whether a name is valid in function and stack names, and as a folder. The pattern of the template limits the length. */
export const isStageName = (name: string): boolean => /^[a-z][a-z0-9-]*$/.test(name);

const members = ['mode', 'adapter', 'region', 'parameters'];

/** A member that begins with `//` is a comment. `--init` writes one for each parameter. */
const isComment = (name: string): boolean => name.startsWith('//');

const unknownMembers = (stageFile: JsonObject): readonly string[] =>
  Object.keys(stageFile)
    .filter((name) => !members.includes(name) && !isComment(name))
    .map((name) => `unknown member ${name}.${suggestion(name, members) || ` There are ${members.join(', ')}.`}`);

/** Returns a value as text for CloudFormation. An object, such as ReturnTerms, becomes JSON. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isObject(value) ? JSON.stringify(value) : undefined;
};

/** Parses the file of a stage, or returns all of its errors. */
export const parseStage = (text: string): Result<Stage, readonly string[]> => {
  let stageFile: unknown;
  try {
    stageFile = JSON.parse(text);
  } catch (error) {
    return fail([`not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`]);
  }
  if (!isObject(stageFile)) return fail(['must hold an object']);
  const mode = modes.find((known) => known === stageFile['mode']);
  const { region, parameters, adapter = ownAdapter } = stageFile;
  const isAdapter = typeof adapter === 'string' && isStageName(adapter);
  const isRegion = typeof region === 'string' && /^[a-z]{2}(-[a-z]+)+-[0-9]$/.test(region);
  const values = Object.entries(isObject(parameters) ? parameters : {})
    .filter(([name]) => !isComment(name))
    .map(([name, value]) => [name, textOf(value)] as const);
  const errors = [
    ...unknownMembers(stageFile),
    ...(mode === undefined ? [`mode must be ${modes.join(' or ')}. It has no default.`] : []),
    ...(isAdapter ? [] : [`adapter must be ${ownAdapter}, or the name of a folder in lib/adapters.`]),
    ...(mode === 'standalone' && stageFile['adapter'] !== undefined
      ? ['adapter is for the connected mode. Remove it.']
      : []),
    ...(isRegion ? [] : ['region must be a region of AWS, such as eu-central-1. It has no default.']),
    ...(isObject(parameters) ? [] : ['parameters must be an object.']),
    ...values
      .filter(([, value]) => value === undefined)
      .map(([name]) => `parameter ${name} must be a text such as "on", a number or an object.`),
  ];
  if (mode === undefined || !isRegion || !isAdapter || errors.length > 0) return fail(errors);
  return ok({
    mode,
    ...(adapter !== ownAdapter && { adapter }),
    region,
    parameters: Object.fromEntries(
      values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    ),
  });
};

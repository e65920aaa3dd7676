import { fail, ok, type Result } from '../contract/result.ts';
import { modes, type Mode } from './functions/function-row.ts';
import { suggestion } from '../runtime/nearest.ts';

/** What a stage is deployed with: lib/deploy/stages/<stage>.json. */
export type Stage = {
  readonly mode: Mode;
  readonly region: string;
  /** Values by the names that the template has for its parameters. */
  readonly parameters: Readonly<Record<string, string>>;
};

export const stagesFolder = 'lib/deploy/stages';

/** Names of stages stand in names of functions and of the stack. The template's own pattern bounds the length. */
export const isStageName = (name: string): boolean => /^[a-z][a-z0-9-]*$/.test(name);

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const members = ['mode', 'region', 'parameters'];

const unknownMembers = (given: Members): readonly string[] =>
  Object.keys(given)
    .filter((name) => !members.includes(name))
    .map((name) => `unknown member ${name}.${suggestion(name, members) || ` There are ${members.join(', ')}.`}`);

/** A value as CloudFormation takes it: text. An object is given as JSON, as ReturnTerms are. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isMembers(value) ? JSON.stringify(value) : undefined;
};

/** The content of a stage's file, or all that is wrong with it. */
export const parseStage = (text: string): Result<Stage, readonly string[]> => {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return fail([`not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`]);
  }
  if (!isMembers(given)) return fail(['must hold an object']);
  const mode = modes.find((one) => one === given['mode']);
  const { region, parameters } = given;
  const isRegion = typeof region === 'string' && /^[a-z]{2}(-[a-z]+)+-[0-9]$/.test(region);
  const values = Object.entries(isMembers(parameters) ? parameters : {}).map(
    ([name, value]) => [name, textOf(value)] as const,
  );
  const faults = [
    ...unknownMembers(given),
    ...(mode === undefined ? [`mode must be ${modes.join(' or ')}. It has no default.`] : []),
    ...(isRegion ? [] : ['region must be a region of AWS, such as eu-central-1. It has no default.']),
    ...(isMembers(parameters) ? [] : ['parameters must be an object.']),
    ...values
      .filter(([, value]) => value === undefined)
      .map(([name]) => `parameter ${name} must be a text, a number or an object.`),
  ];
  if (mode === undefined || !isRegion || faults.length > 0) return fail(faults);
  return ok({
    mode,
    region,
    parameters: Object.fromEntries(
      values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    ),
  });
};

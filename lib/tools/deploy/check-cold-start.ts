import { globSync } from 'node:fs';
import type { ParameterError } from '../template/account-parameters.ts';
import { deploy } from '../template/cloudformation/deployment.ts';
import { functionSpecs, sharedEnvironment } from '../local/emulators/functions.ts';
import type { Template } from '../template/cloudformation/template.ts';

type Variables = Readonly<Record<string, string>>;

/** The limit of Lambda for the variables of a function, names included. */
const maxEnvironmentBytes = 4_096;

/** Returns the readers of the environment, which functions call while they load. Files named config export them. */
const loadReaders = async (): Promise<readonly (() => unknown)[]> => {
  const files = globSync('lib/**/{config,*-config}.ts', { exclude: ['lib/console/**'] });
  const modules = await Promise.all(
    files.map(async (file): Promise<object> => import(new URL(`../../../${file}`, import.meta.url).href)),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, read]) =>
      name.endsWith('Config') && typeof read === 'function' ? [read as () => unknown] : [],
    ),
  );
};

/** Runs a reader with these variables. Returns the message of its error: a line for each variable. */
const readIn = (variables: Variables, read: () => unknown): string | undefined => {
  const own = process.env;
  process.env = { ...variables };
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    process.env = own;
  }
};

/** Variables of the other mode, and of functions that this deployment does not have, are no errors. */
const isAbsent = (error: string, variables: Variables): boolean => {
  const [, name] = /^environment variable (\w+) is required$/.exec(error) ?? [];
  return name !== undefined && !Object.hasOwn(variables, name);
};

/** `RETURN_TERMS` has the value of the parameter `ReturnTerms`. */
const parameterOf = (variable: string): string =>
  variable
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

/** Maps an error of the environment to its parameter. */
const byParameter = (error: string, { Parameters = {} }: Template): ParameterError => {
  const [, variable = '', text = error] = /^environment variable (\w+):? (.*)$/s.exec(error) ?? [];
  const parameter = parameterOf(variable);
  return Object.hasOwn(Parameters, parameter) ? { parameter, error: text } : { parameter: undefined, error };
};

/** Returns the template without limits: the messages of the functions are clearer than a pattern. */
const withoutLimits = (template: Template): Template => ({
  ...template,
  Parameters: Object.fromEntries(
    Object.entries(template.Parameters ?? {}).map(([name, { Default = '' }]) => [name, { Type: 'String', Default }]),
  ),
});

const bytesOf = (variables: Variables): number =>
  Object.entries(variables).reduce((sum, [name, value]) => sum + Buffer.byteLength(`${name}${value}`), 0);

/**
 * Finds the errors that would stop the functions of a deployment at cold start. It runs the functions' own readers of
 * the environment with the variables of the deployment.
 *
 * @param values a value for every parameter of the template
 */
export const findColdStartErrors = async (
  template: Template,
  values: Variables,
  region: string,
): Promise<readonly ParameterError[]> => {
  const specs = functionSpecs(
    deploy(withoutLimits(template), {
      mode: values['Stage'] ?? '',
      parameters: values,
      sqs: `https://sqs.${region}.amazonaws.com`,
    }),
  );
  const variables = sharedEnvironment(specs);
  const errors = (await loadReaders())
    .flatMap((read) => readIn(variables, read)?.split(/\n(?=environment )/) ?? [])
    .filter((error) => !isAbsent(error, variables));
  const largest = specs.toSorted((a, b) => bytesOf(b.environment) - bytesOf(a.environment)).at(0);
  const bytes = bytesOf(largest?.environment ?? {});
  const tooLarge =
    bytes > maxEnvironmentBytes
      ? [
          `the variables of ${largest?.key} have ${bytes} bytes, and Lambda accepts ${maxEnvironmentBytes}: shorten values`,
        ]
      : [];
  return [...new Set([...errors, ...tooLarge])].map((error) => byParameter(error, template));
};

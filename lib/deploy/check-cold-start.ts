import * as config from '../runtime/config.ts';
import { termsConfig } from '../service/decisions/terms-config.ts';
import { deploy } from '../local/cloudformation/deployment.ts';
import { functionSpecs, sharedEnvironment } from '../local/emulators/functions.ts';
import type { Template } from '../local/cloudformation/template.ts';

type Variables = Readonly<Record<string, string>>;

/** What is wrong with a deployment, and with which of its parameters where that is known. */
export type ColdStartError = { readonly parameter: string | undefined; readonly fault: string };

/** What Lambda takes of variables for a function, names included. */
const maxEnvironmentBytes = 4_096;

/** Every reader of the environment: what a function calls while it loads. */
const readers = Object.entries({ ...config, termsConfig }).flatMap(([name, read]) =>
  name.endsWith('Config') && typeof read === 'function' ? [read] : [],
);

/** Runs a reader as in a function that has these variables. */
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

/** The other mode's variables, and those of functions that this deployment leaves out, are no fault. */
const isAbsent = (fault: string, variables: Variables): boolean => {
  const [, name] = /^environment variable (\w+) is required$/.exec(fault) ?? [];
  return name !== undefined && !Object.hasOwn(variables, name);
};

/** `RETURN_TERMS` has the value of the parameter `ReturnTerms`. */
const parameterOf = (variable: string): string =>
  variable
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

/** The parameter that a fault of the environment comes from, and what is wrong with it. */
const byParameter = (fault: string, { Parameters = {} }: Template): ColdStartError => {
  const [, variable = '', text = fault] = /^environment variable (\w+):? (.*)$/s.exec(fault) ?? [];
  const parameter = parameterOf(variable);
  return Object.hasOwn(Parameters, parameter) ? { parameter, fault: text } : { parameter: undefined, fault };
};

/** A template that takes any value: what the functions say of one is clearer than a pattern. */
const withoutLimits = (template: Template): Template => ({
  ...template,
  Parameters: Object.fromEntries(
    Object.entries(template.Parameters ?? {}).map(([name, { Default = '' }]) => [name, { Type: 'String', Default }]),
  ),
});

const bytesOf = (variables: Variables): number =>
  Object.entries(variables).reduce((sum, [name, value]) => sum + Buffer.byteLength(`${name}${value}`), 0);

/**
 * What would end the functions of a deployment while they load, whatever its template takes: their own
 * readers of the environment are run with the variables that they would have.
 *
 * @param values a value for every parameter of the template
 */
export const findColdStartErrors = (
  template: Template,
  values: Variables,
  region: string,
): readonly ColdStartError[] => {
  const specs = functionSpecs(
    deploy(withoutLimits(template), {
      mode: values['Stage'] ?? '',
      parameters: values,
      sqs: `https://sqs.${region}.amazonaws.com`,
    }),
  );
  const variables = sharedEnvironment(specs);
  const faults = readers
    .flatMap((read) => readIn(variables, read) ?? [])
    .filter((fault) => !isAbsent(fault, variables));
  const largest = specs.toSorted((one, other) => bytesOf(other.environment) - bytesOf(one.environment)).at(0);
  const bytes = bytesOf(largest?.environment ?? {});
  const tooLarge =
    bytes > maxEnvironmentBytes
      ? [
          `the variables of ${largest?.key} take ${bytes} bytes, and Lambda takes ${maxEnvironmentBytes}: shorten values`,
        ]
      : [];
  return [...new Set([...faults, ...tooLarge])].map((fault) => byParameter(fault, template));
};

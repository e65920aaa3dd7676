import { findCombinationErrors, type ParameterError } from '../template/account-parameters.ts';
import { parameterError } from '../template/cloudformation/parameter.ts';
import type { Template } from '../template/cloudformation/template.ts';
import { repeatedPathError } from '../../runtime/address.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { findColdStartErrors } from './check-cold-start.ts';
import type { Stage } from './stage-file.ts';

type Values = Readonly<Record<string, string>>;

/** Returns the values that CloudFormation would reject after the upload of the code. */
const findTemplateErrors = ({ Parameters = {} }: Template, values: Values): readonly ParameterError[] =>
  Object.entries(Parameters).flatMap(([parameter, limits]): readonly ParameterError[] => {
    const value = values[parameter];
    const error = value === undefined ? undefined : parameterError(limits, value);
    return error === undefined ? [] : [{ parameter, error }];
  });

/** Returns the addresses that end with the path that is added to them. */
const findAddressErrors = ({ ServiceUrl = '', ServicePath = '', AuthUrl = '', TokenPath = '' }: Values) =>
  [
    { parameter: 'ServiceUrl', error: repeatedPathError(ServiceUrl, ServicePath) },
    { parameter: 'AuthUrl', error: repeatedPathError(AuthUrl, TokenPath) },
  ].flatMap(({ parameter, error }): readonly ParameterError[] => (error === undefined ? [] : [{ parameter, error }]));

const shown = ({ parameter, error }: ParameterError): string =>
  `${parameter === undefined ? '' : `parameter ${parameter}: `}${error}${error.endsWith('?') ? '' : '.'}`;

/**
 * Checks the values of a stage against the package, before it changes anything.
 *
 * @returns a value for every parameter of the template, or all errors in one sentence each. A parameter that the file
 *   does not name gets its default, so that a removed line takes effect.
 */
export const checkDeployment = async (
  template: Template,
  name: string,
  { region, parameters }: Stage,
): Promise<Result<Values, readonly string[]>> => {
  const { Parameters = {} } = template;
  // The name of the file is the stage. The file has no line for it.
  const names = Object.keys(Parameters).filter((parameter) => parameter !== 'Stage');
  const unknown = Object.keys(parameters)
    .filter((parameter) => !names.includes(parameter))
    .map((parameter) => `unknown parameter ${parameter}.${suggestion(parameter, names)}`);
  const unlike = unknown.findLastIndex((error) => !error.endsWith('?'));
  // Once is enough: the list has about 70 names.
  if (unlike !== -1) unknown[unlike] += ` The parameters of this mode are ${names.join(', ')}.`;
  const provided: Partial<Values> = { ...parameters, Stage: name };
  const missing = Object.entries(Parameters).filter(
    ([parameter, { Default }]) => provided[parameter] === undefined && Default === undefined,
  );
  const values = Object.fromEntries(
    Object.entries(Parameters).flatMap(([parameter, { Default }]): [string, string][] => {
      const value = provided[parameter] ?? Default;
      return value === undefined ? [] : [[parameter, String(value)]];
    }),
  );
  const coldStartErrors = await findColdStartErrors(template, values, region);
  const onLoad = coldStartErrors.filter(({ parameter }) => !missing.some(([absent]) => absent === parameter));
  const onUpload = findTemplateErrors(template, values).filter(
    ({ parameter }) => !onLoad.some((error) => error.parameter === parameter),
  );
  const onCreation = findCombinationErrors(values, region).filter(
    ({ parameter }) => !onUpload.some((error) => error.parameter === parameter),
  );
  const onCall = findAddressErrors(values).filter(
    ({ parameter }) => ![...onLoad, ...onUpload].some((error) => error.parameter === parameter),
  );
  const errors = [
    ...unknown,
    ...missing.map(
      ([parameter, { Description = 'it has no default' }]) => `missing parameter ${parameter}: ${Description}.`,
    ),
    ...[...onLoad, ...onUpload, ...onCreation, ...onCall].map(shown),
  ];
  return errors.length > 0 ? fail(errors) : ok(values);
};

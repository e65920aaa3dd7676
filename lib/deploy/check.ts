import { fail, ok, type Result } from '../contract/result.ts';
import { parameterFault } from '../local/cloudformation/parameter.ts';
import type { Template } from '../local/cloudformation/template.ts';
import { suggestion } from '../runtime/nearest.ts';
import { coldStartFaults, type Fault } from './check-cold-start.ts';
import type { Stage } from './stage-file.ts';

type Values = Readonly<Record<string, string>>;

/** Values that a template does not take, as CloudFormation would refuse them once the code is uploaded. */
const templateFaults = ({ Parameters = {} }: Template, values: Values): readonly Fault[] =>
  Object.entries(Parameters).flatMap(([parameter, limits]): readonly Fault[] => {
    const value = values[parameter];
    const fault = value === undefined ? undefined : parameterFault(limits, value);
    return fault === undefined ? [] : [{ parameter, fault }];
  });

const shown = ({ parameter, fault }: Fault): string =>
  `${parameter === undefined ? '' : `parameter ${parameter}: `}${fault}${fault.endsWith('?') ? '' : '.'}`;

/**
 * Checks what a stage is to be deployed with against the package, before anything is touched.
 *
 * @returns a value for every parameter of the template: its default where the stage names none, so that a line which is
 *   taken out of the file takes effect; or all faults, a sentence each
 */
export const checkDeployment = (
  template: Template,
  name: string,
  { region, parameters }: Stage,
): Result<Values, readonly string[]> => {
  const { Parameters = {} } = template;
  // The stage is the name of the file, and no line in it.
  const names = Object.keys(Parameters).filter((one) => one !== 'Stage');
  const unknown = Object.keys(parameters)
    .filter((one) => !names.includes(one))
    .map((one) => `unknown parameter ${one}.${suggestion(one, names) || ` There are ${names.join(', ')}.`}`);
  const given: Partial<Values> = { ...parameters, Stage: name };
  const missing = Object.entries(Parameters).filter(
    ([one, { Default }]) => given[one] === undefined && Default === undefined,
  );
  const values = Object.fromEntries(
    Object.entries(Parameters).flatMap(([one, { Default }]): [string, string][] => {
      const value = given[one] ?? Default;
      return value === undefined ? [] : [[one, String(value)]];
    }),
  );
  const onLoad = coldStartFaults(template, values, region).filter(
    ({ parameter }) => !missing.some(([one]) => one === parameter),
  );
  const onUpload = templateFaults(template, values).filter(
    ({ parameter }) => !onLoad.some((fault) => fault.parameter === parameter),
  );
  const faults = [
    ...unknown,
    ...missing.map(([one, { Description = 'it has no default' }]) => `missing parameter ${one}: ${Description}.`),
    ...[...onLoad, ...onUpload].map(shown),
  ];
  return faults.length > 0 ? fail(faults) : ok(values);
};

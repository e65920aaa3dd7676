import { capitalised } from '../resources/cloudformation.ts';
import { functionFiles } from '../function-files.ts';
import type { FunctionFile } from '../function-needs.ts';
import { splitTemplate, type SplitTemplate, type StackTemplate } from './nested-stacks.ts';
import type { Offer } from '../offer.ts';

/** The resources of each function that belong into its stack, by the end of their logical ids. */
const ownResources = [
  'LambdaFunction',
  'LogGroup',
  'Role',
  'Version',
  'Live',
  'Rollout',
  'RolloutAlarm',
  'Schedule',
  'Invocations',
  'Source',
];

/** Returns the stack of a function. Those of the API have one for each folder, and all other triggers share one. */
const stackIdOf = ({ file, group }: FunctionFile): string => {
  const [, , resource = ''] = file.split('/');
  const name = group === 'api' ? resource : group === 'schedules' ? group : 'triggers';
  return `${name.split('-').map(capitalised).join('')}Functions`;
};

/** Returns the stack of each resource that leaves the root. */
const stacksOf = (offer: Offer): ReadonlyMap<string, string> =>
  new Map([
    ...functionFiles(offer).flatMap((file) =>
      ownResources.map((end) => [`${capitalised(file.name)}${end}`, stackIdOf(file)] as const),
    ),
    // Schedules need the role, and the role names their functions.
    ['ScheduleRole', 'SchedulesFunctions'],
  ]);

/**
 * Splits the packaged template of a mode into a root and one nested stack for each resource of the API.
 *
 * @param folder the folder of the deployment bucket that holds the package, as text of `Fn::Sub`
 */
export const splitByFunctions = (offer: Offer, template: StackTemplate, folder: string): SplitTemplate => {
  const stacks = stacksOf(offer);
  return splitTemplate(template, {
    stackOf: (logicalId) => stacks.get(logicalId),
    urlOf: (stack) => ({
      'Fn::Sub': `https://\${ServerlessDeploymentBucket}.s3.\${AWS::Region}.\${AWS::URLSuffix}/${folder}/${stack}.json`,
    }),
  });
};

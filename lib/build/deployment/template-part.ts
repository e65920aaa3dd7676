import type { Mode } from '../../deploy/functions/function-row.ts';
import { metricAlarms } from '../../deploy/metric-alarms.ts';
import { roleResources } from '../roles.ts';
import { alarm, type Resource, type TemplatePart } from './cloudformation.ts';
import { eventSourceTemplate } from './event-source-template.ts';
import { functionExtensions, functionResources } from './function-resources.ts';
import { invokingRoles } from './invoking-roles.ts';
import { queueResources } from './queue-resources.ts';

const metricAlarmResources = (mode: Mode): Readonly<Record<string, Resource>> =>
  Object.fromEntries(
    Object.entries(metricAlarms)
      .filter(([, { modes }]) => modes.includes(mode))
      .map(([metric, { description, period }]) => [
        `${metric}Alarm`,
        alarm({
          description,
          namespace: 'Returns',
          metric,
          // osls resolves these variables in what serverless.yml includes.
          dimension: { Name: 'Deployment', Value: '${self:service}-${sls:stage}' },
          statistic: 'Sum',
          period,
          evaluationPeriods: 1,
        }),
      ]),
  );

/** The generated part of a mode's template, which `resources` of serverless.yml includes. */
export const templatePart = (mode: Mode): Required<TemplatePart> => {
  const { Parameters, Conditions, Resources } = eventSourceTemplate();
  return {
    Parameters,
    Conditions,
    Resources: {
      ...roleResources(mode),
      ...invokingRoles(mode),
      ...functionResources(mode),
      ...metricAlarmResources(mode),
      ...queueResources(mode),
      ...Resources,
    },
    extensions: functionExtensions(mode),
  };
};

import { rowsOf } from '../../deploy/functions.ts';
import {
  defaultTimeout,
  type FunctionRow,
  type Mode,
  type QueueTrigger,
  type StreamTrigger,
} from '../../deploy/functions/function-row.ts';
import { capitalised } from './cloudformation.ts';

const queueEvent = ({ queue, batchSize, maxConcurrency }: QueueTrigger) => ({
  sqs: {
    arn: { 'Fn::GetAtt': [`${queue}Queue`, 'Arn'] },
    batchSize,
    functionResponseType: 'ReportBatchItemFailures',
    maximumConcurrency: maxConcurrency,
  },
});

const streamEvent = ({ mapping, filterPatterns }: StreamTrigger) => ({
  stream: {
    type: 'dynamodb',
    arn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    startingPosition: 'TRIM_HORIZON',
    bisectBatchOnFunctionError: true,
    ...mapping,
    filterPatterns,
    destinations: { onFailure: { type: 'sqs', arn: { 'Fn::GetAtt': ['StreamDeadLetters', 'Arn'] } } },
  },
});

const eventsOf = ({ trigger }: FunctionRow): readonly object[] => {
  if (trigger.kind === 'queue') return [queueEvent(trigger)];
  return trigger.kind === 'stream' ? [streamEvent(trigger)] : [];
};

const stanzaOf = (name: string, row: FunctionRow, mode: Mode) => {
  const environment = { ...row.environment, ...row.environmentByMode?.[mode] };
  const events = eventsOf(row);
  return {
    handler: `dist/${mode}/${name}/index.handler`,
    role: `${capitalised(name)}Role`,
    package: { artifact: `dist/${mode}/${name}.zip` },
    timeout: row.timeout ?? defaultTimeout,
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(row.condition !== undefined && { condition: row.condition }),
    ...(events.length > 0 && { events }),
  };
};

/** The functions of a mode, as `functions` of serverless.yml includes them. */
export const stanzas = (mode: Mode): Readonly<Record<string, object>> =>
  Object.fromEntries(rowsOf(mode).map(([name, row]) => [name, stanzaOf(name, row, mode)]));

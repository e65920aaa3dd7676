import { isDeepStrictEqual } from 'node:util';
import { GetEventSourceMappingCommand, GetFunctionRecursionConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { endWithUsageError, readCommandLine, type Command } from '../command-line/command-line.ts';
import { parseJson } from '../../runtime/json.ts';
import { clientSettings, failed, type Finding, passed, reasonOf } from './aws-call.ts';
import { checkPartitions } from './aws-partitions.ts';
import { checkTokens } from './aws-tokens.ts';
import { checkUploads } from './aws-uploads.ts';
import { rowsOf } from '../template/functions.ts';
import type { StreamTrigger } from '../template/functions/function-row.ts';
import { readDeployedStage, type DeployedStage } from './stack-outputs.ts';
import { offerOfStage } from './stage-offer.ts';
import { readStage, stageFile } from './stage-files.ts';

/*
 * Checks of a deployed stage for what no emulator proves: AWS itself must enforce it. Each check cites the page that
 * promises it. The one uploaded file and the one role are deleted at the end.
 */

type AwsCheck = { readonly name: string; readonly run: (stage: DeployedStage) => Promise<Finding> };

const findingOf = (errors: readonly string[], otherwise: string): Finding =>
  errors.length === 0 ? passed(otherwise) : failed(errors.join('; '));

const sortedPatterns = (patterns: readonly unknown[]): readonly unknown[] =>
  patterns.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const filterErrors = (
  name: string,
  { filterPatterns }: StreamTrigger,
  filters: readonly { readonly Pattern?: string | undefined }[],
) =>
  isDeepStrictEqual(
    sortedPatterns(filters.map(({ Pattern = '' }) => parseJson(Pattern))),
    sortedPatterns(filterPatterns),
  )
    ? []
    : [`${name} has other filters than the table of functions`];

/**
 * Compares the event source mappings with the table of functions: each is enabled, has its filters, and had no problem.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
 */
const checkEventSources: AwsCheck['run'] = async (stage) => {
  const lambda = new LambdaClient({ ...clientSettings, region: stage.region });
  try {
    const mappings = await Promise.all(
      stage.mappings.map((UUID) => lambda.send(new GetEventSourceMappingCommand({ UUID }))),
    );
    const consumers = rowsOf(stage.offer).flatMap(([name, { trigger, condition }]) => {
      if (trigger.kind !== 'queue' && trigger.kind !== 'stream') return [];
      // The ARN may end with an alias.
      const found = mappings.find(({ FunctionArn }) => FunctionArn?.split(':')[6] === stage.functionName(name));
      return found === undefined && condition !== undefined ? [] : [{ name, trigger, found }];
    });
    const errors = consumers.flatMap(({ name, trigger, found }) => {
      if (found === undefined) return [`${name} has no event source`];
      const { State, LastProcessingResult = '', FilterCriteria } = found;
      return [
        ...(State === 'Enabled' ? [] : [`the event source of ${name} is ${State}`]),
        ...(LastProcessingResult.startsWith('PROBLEM') ? [`${name}: ${LastProcessingResult}`] : []),
        ...(trigger.kind === 'stream' ? filterErrors(name, trigger, FilterCriteria?.Filters ?? []) : []),
      ];
    });
    return findingOf(errors, `${consumers.length} event sources are enabled and have their filters`);
  } finally {
    lambda.destroy();
  }
};

/**
 * Compares the handling of recursive loops: Lambda stops a loop after about 16 invocations unless it is allowed.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionRecursionConfig.html
 */
const checkRecursion: AwsCheck['run'] = async (stage) => {
  const lambda = new LambdaClient({ ...clientSettings, region: stage.region });
  try {
    const consumers = rowsOf(stage.offer).filter(
      ([, { trigger, condition }]) => trigger.kind === 'queue' && condition === undefined,
    );
    const errors = await Promise.all(
      consumers.map(async ([name, { recursiveLoop = false }]) => {
        const FunctionName = stage.functionName(name);
        const { RecursiveLoop } = await lambda.send(new GetFunctionRecursionConfigCommand({ FunctionName }));
        const wanted = recursiveLoop ? 'Allow' : 'Terminate';
        return RecursiveLoop === wanted ? [] : [`RecursiveLoop of ${name} is ${RecursiveLoop} instead of ${wanted}`];
      }),
    );
    const allowed = consumers.filter(([, { recursiveLoop }]) => recursiveLoop === true).map(([name]) => name);
    return findingOf(
      errors.flat(),
      `${allowed.length === 0 ? 'no function' : `only ${allowed.join(', ')}`} may call itself by its queue`,
    );
  } finally {
    lambda.destroy();
  }
};

/** All checks, in the order of the report. */
const awsChecks: readonly AwsCheck[] = [
  { name: 'partitions in transactions', run: checkPartitions },
  { name: 'tokens at the API', run: checkTokens },
  { name: 'event sources', run: checkEventSources },
  { name: 'recursive loops', run: checkRecursion },
  { name: 'signed uploads', run: checkUploads },
];

/** Runs one check. A call that AWS rejects, or that gets no answer, is a failure with its reason. */
const runAwsCheck = async ({ run }: AwsCheck, stage: DeployedStage): Promise<Finding> => {
  try {
    return await run(stage);
  } catch (error) {
    return failed(reasonOf(error));
  }
};

const command: Command = {
  call: 'npm run aws-check',
  about:
    'Checks in a deployed stage what only AWS itself can prove: partitions in transactions, tokens at the API, event\nsources, recursive loops and signed uploads. It changes no data. It creates a role and a file, and deletes both.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage of the deployment. Needs AWS credentials.' },
  },
  notes: 'Needs rights to read the stack, its APIs, functions and roles, to create a role, and to write to the bucket.',
};

const { values } = readCommandLine(command);
const { stage: name } = values;

type Row = Finding & { readonly check: string };

/** Formats the findings as columns: result, check and reason. */
const tableOf = (rows: readonly Row[]): string => {
  const width = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
  const [results, checks] = [width(({ result }) => result), width(({ check }) => check)];
  return rows.map(({ result, check, why }) => `${result.padEnd(results)}  ${check.padEnd(checks)}  ${why}`).join('\n');
};

/**
 * Runs the checks one after the other: a rejected call then belongs to one check. Ctrl-C ends the command after the
 * current check, which deletes its role or its file. A second Ctrl-C ends it at once.
 */
const runAwsChecks = async (stage: DeployedStage): Promise<readonly Row[]> => {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      console.error('The command ends after this check, which deletes its role or its file.');
      interrupted.abort();
    });
  const rows: Row[] = [];
  for (const check of awsChecks) {
    if (interrupted.signal.aborted) break;
    rows.push({ check: check.name, ...(await runAwsCheck(check, stage)) });
  }
  return rows;
};

const main = async (): Promise<number> => {
  if (typeof name !== 'string') return endWithUsageError(command, '--stage is missing.');
  const found = await readStage(name);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  const offer = await offerOfStage(found.value);
  if (!offer.ok) return endWithUsageError(command, `${stageFile(name)}: ${offer.failure}`);
  const stage = await readDeployedStage(name, found.value, offer.value);
  const rows = await runAwsChecks(stage);
  console.log(tableOf(rows));
  const failures = rows.filter(({ result }) => result === 'FAIL').length;
  const isComplete = rows.length === awsChecks.length;
  if (!isComplete) console.log(`Interrupted after ${rows.length} of ${awsChecks.length} checks.`);
  if (failures > 0) console.log(`${failures} of ${rows.length} checks failed.`);
  if (failures > 0 || !isComplete) return 1;
  console.log('AWS keeps what the bundle relies on.');
  return 0;
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`The checks did not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

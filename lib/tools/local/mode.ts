import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Deployment } from '../template/cloudformation/deployment.ts';
import { readTemplate, type Template } from '../template/cloudformation/template.ts';
import { type Call, openCallRecord } from './emulators/call-record.ts';
import { functionEnvironment, scaledEnvironment } from './emulators/function-spec.ts';
import { FunctionError, functionSpecs, type Invoke, sharedEnvironment, startFunctions } from './emulators/functions.ts';
import { openAccessLog } from './emulators/gateway/access-log.ts';
import { startGateway } from './emulators/gateway/gateway.ts';
import type { ApiBody, RouteSettings } from './emulators/gateway/routes.ts';
import { startGuard } from './emulators/guard.ts';
import { identitiesOf, partitionKeysOf, shareEnvironment } from './emulators/identities.ts';
import { startLambdaApi } from './emulators/lambda-api.ts';
import { corsRules } from './emulators/cors.ts';
import { lockedBuckets, startObjects } from './emulators/objects.ts';
import { createDeadLetterSender } from './emulators/dead-letters.ts';
import { checkLoop, checkMapping, mappingsOf, startPoller } from './emulators/queue-poller.ts';
import type { ModeEvent } from './events.ts';
import { openDueTimes, schedulesOf, startSchedule } from './schedules/schedules.ts';
import { type StreamMapping, streamMappingsOf } from './streams/mapping.ts';
import { checkStreamMapping, startStreamPoller } from './streams/poller.ts';
import { openWrites } from './streams/writes.ts';
import type { ModeSettings, ModeMessage } from './mode-process.ts';

/*
 * A process for each mode. The modes are separate deployments, and read the same variables. The process ends with its
 * parent, by the pipe between them.
 */

const say = (word: ModeMessage): void => void process.send?.(word);

const apiOf = (deployment: Deployment, logicalId: string): ApiBody | undefined =>
  deployment.ofType('AWS::ApiGatewayV2::Api').find((resource) => resource.logicalId === logicalId)?.properties[
    'Body'
  ] as ApiBody | undefined;

/** The address of an API that the deployment does not have. It does not respond. */
const absentUrl = 'https://hooks.invalid';

const bodyOf = (deployment: Deployment, logicalId: string): ApiBody => {
  const body = apiOf(deployment, logicalId);
  if (body === undefined) throw new Error(`/Resources/${logicalId}: the template has no such API`);
  return body;
};

/** Returns the limits of single routes of a stage, and its variables. */
const stageOf = (deployment: Deployment, logicalId: string) => {
  const stages = deployment.ofType('AWS::ApiGatewayV2::Stage');
  const properties = stages.find((resource) => resource.logicalId === logicalId)?.properties ?? {};
  const { RouteSettings: routeSettings = {}, StageVariables: stageVariables } = properties as {
    readonly RouteSettings?: RouteSettings;
    readonly StageVariables?: Readonly<Record<string, string>>;
  };
  return { routeSettings, ...(stageVariables && { stageVariables }) };
};

/** Starts guards in front of the emulators. The names of their resources do not depend on their addresses. */
const guard = async (settings: ModeSettings, template: Template) => {
  const deployment = deploy(template, { ...settings, sqs: settings.aws.sqs });
  const record = settings.callRecord === undefined ? undefined : openCallRecord(settings.callRecord);
  const access = {
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    onCall: (call: Omit<Call, 'mode'>) => record?.({ mode: settings.mode, ...call }),
  };
  const writes = openWrites();
  const services = await startGuard({
    ...access,
    upstream: settings.aws,
    partitionKeys: partitionKeysOf(deployment),
    onWrite: writes.note,
  });
  const buckets = deployment.ofType('AWS::S3::Bucket');
  const objects = await startObjects({
    ...access,
    locked: lockedBuckets(buckets),
    cors: corsRules(buckets),
    upstream: settings.aws.s3,
    port: settings.ports.objects ?? 0,
  });
  const { url } = services;
  const endpoints = { dynamodb: url, sqs: url, secretsManager: url, eventBridge: url, ses: url, s3: objects.url };
  return {
    access,
    endpoints,
    writes,
    close: async () => void (await Promise.all([services.close(), objects.close()])),
  };
};

/** Starts to feed functions from the tables' streams, if the stack is configured so. */
const startStreams = async (
  { mode, dataDir, streams }: ModeSettings,
  mappings: readonly StreamMapping[],
  { endpoints, writes }: Awaited<ReturnType<typeof guard>>,
  invoke: Invoke,
  report: (event: ModeEvent) => void,
) => {
  await Promise.all(mappings.map((mapping) => checkStreamMapping(endpoints.dynamodb, mapping)));
  const folder = join(dataDir, 'streams', mode);
  const started = streams ? mappings : [];
  return Promise.all(
    started.map((mapping) => startStreamPoller({ endpoints, mapping, invoke, folder, writes, onRecords: report })),
  );
};

/** The pause before a failed run of `reindexReturns` is repeated. */
const retryMs = 1_000;

/**
 * Writes the stored returns to changed indexes before the first request reads them. A run that fails, such as one that
 * exceeds its deadline on a slow machine, is repeated: the next one continues.
 */
const reindex = async (specs: ReturnType<typeof functionSpecs>, invoke: Invoke): Promise<void> => {
  const job = specs.find(({ key }) => key === 'reindexReturns');
  if (job === undefined) throw new Error('no function reindexReturns');
  for (;;) {
    try {
      const { through } = (await invoke(job.arn, {}, 'schedule')) as { readonly through: boolean };
      say({ type: 'progress' });
      if (through) return;
    } catch (error) {
      // The log has the cause, and the parent names the log.
      if (!(error instanceof FunctionError)) throw error;
      await sleep(retryMs);
    }
  }
};

const start = async (settings: ModeSettings) => {
  const template = await readTemplate(settings.template);
  const aws = await guard(settings, template);
  say({ type: 'progress' });
  const { sqs } = aws.endpoints;
  const { timeScale } = settings;
  const deployment = deploy(template, { ...settings, sqs });
  const specs = functionSpecs(deployment);
  Object.assign(
    process.env,
    sharedEnvironment(specs),
    functionEnvironment(aws.endpoints),
    scaledEnvironment(timeScale),
  );
  shareEnvironment();
  const report = (event: ModeEvent) => {
    if (settings.events) say({ type: 'event', event });
  };
  const invoke = startFunctions(specs, settings.root, report, timeScale);
  const lambda = await startLambdaApi({
    functions: specs,
    invoke,
    port: settings.ports.lambda,
    identities: aws.access.identities,
    onCall: aws.access.onCall,
    putAside: createDeadLetterSender(deployment, sqs),
  });
  // No function reads it before its first invocation.
  process.env['AWS_ENDPOINT_URL_LAMBDA'] = lambda.url;
  if (settings.reindex === true) await reindex(specs, invoke);
  const accessLog = join(settings.dataDir, 'logs', `${settings.mode}-access.log`);
  const api = await startGateway({
    name: 'api',
    logAccess: openAccessLog(deployment, 'Api', accessLog),
    body: bodyOf(deployment, 'Api'),
    port: settings.ports.api,
    invoke,
    timeScale,
    onAnswered: report,
  });
  const hooksBody = apiOf(deployment, 'Hooks');
  const hooks =
    hooksBody === undefined
      ? undefined
      : await startGateway({
          name: 'hooks',
          logAccess: openAccessLog(deployment, 'Hooks', accessLog),
          body: hooksBody,
          port: settings.ports.hooks,
          invoke,
          timeScale,
          onAnswered: report,
        });
  const webBody = apiOf(deployment, 'Web');
  const web =
    webBody === undefined
      ? undefined
      : await startGateway({
          name: 'web',
          logAccess: openAccessLog(deployment, 'Web', accessLog),
          body: webBody,
          ...stageOf(deployment, 'WebStage'),
          port: settings.ports.web ?? 0,
          invoke,
          timeScale,
          onAnswered: report,
        });
  say({ type: 'progress' });
  const mappings = mappingsOf(deployment, specs);
  const identities = identitiesOf(deployment, specs);
  for (const mapping of mappings) checkLoop(identities, mapping);
  await Promise.all(mappings.map((mapping) => checkMapping(sqs, mapping)));
  const emulator = settings.aws.sqs;
  const pollers = mappings.map((mapping) => startPoller({ endpoint: sqs, emulator, mapping, invoke, onBatch: report }));
  const streams = await startStreams(settings, streamMappingsOf(deployment, specs), aws, invoke, report);
  const dueTimes = await openDueTimes(join(settings.dataDir, `schedules-${settings.mode}.json`));
  const active = settings.schedules ? schedulesOf(deployment) : [];
  const schedules = active.map((schedule) => startSchedule(schedule, invoke, dueTimes));
  const urls = { api: api.url, hooks: hooks?.url ?? absentUrl, lambda: lambda.url, ...(web && { web: web.url }) };
  say({ type: 'ready', urls });
  return async () => {
    const sources = [...pollers, ...streams, ...schedules].map((source) => source.close());
    await Promise.all([api.close(), hooks?.close(), web?.close(), lambda.close(), ...sources]);
    await aws.close();
  };
};

process.once('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent ends the processes in its own order.
process.on('SIGINT', () => undefined);
process.once('message', (settings: ModeSettings) => {
  say({ type: 'progress' });
  start(settings).then(
    (close) => process.once('SIGTERM', () => void close().finally(() => process.exit(0))),
    (error: unknown) => {
      console.error(error);
      say({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
    },
  );
});

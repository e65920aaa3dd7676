import { deploy, type Deployed } from '../template/cloudformation/deployment.ts';
import { readTemplate } from '../template/cloudformation/template.ts';
import { createBuckets } from './emulators/objects.ts';
import { createQueues, queueSender } from './emulators/queues.ts';
import { createSecrets } from './emulators/secrets-manager.ts';
import { adoptTables, createTables, deleteTables } from './engine/tables.ts';
import type { ExternalServices } from './external-services.ts';
import type { ModeSettings } from './mode-process.ts';
import type { Resources } from './stack-info.ts';
import type { BuiltOptions } from './stack-options.ts';

/** Creates the resources of a mode's template, except functions and APIs. `reindex` reports changed indexes. */
export const createResources = async (
  settings: ModeSettings,
  outside: ExternalServices,
  { fresh = false, waitFor }: BuiltOptions,
): Promise<Resources & { readonly reindex: boolean }> => {
  const deployment = deploy(await readTemplate(settings.template), { ...settings, sqs: settings.aws.sqs });
  const tables = deployment.ofType('AWS::DynamoDB::Table');
  const queues = deployment.ofType('AWS::SQS::Queue');
  if (fresh && outside.engine.isForeign) await deleteTables(outside.engine, tables, waitFor);
  const adopted = deployment.adoptedTables();
  const created = await createTables(outside.engine, tables, waitFor);
  const reindex = (await adoptTables(outside.engine, adopted, waitFor)) || created;
  await createQueues(outside.endpoints.sqs, queues);
  const buckets = deployment.ofType('AWS::S3::Bucket');
  await createBuckets(outside.endpoints.s3, buckets);
  outside.eventBridge.createBuses(deployment.ofType('AWS::Events::EventBus'));
  outside.eventBridge.createRules(deployment.ofType('AWS::Events::Rule'), queueSender(outside.endpoints.sqs, queues));
  outside.ses.createConfigurationSets(
    deployment.ofType('AWS::SES::ConfigurationSet'),
    deployment.ofType('AWS::SES::ConfigurationSetEventDestination'),
  );
  await createSecrets(outside.secrets, deployment.ofType('AWS::SecretsManager::Secret'));
  const named = ({ logicalId, local }: Deployed): [string, string] => [`${settings.mode}.${logicalId}`, local.ref];
  return {
    tables: [...tables, ...adopted].map(named),
    queues: queues.map(named),
    buckets: buckets.map(named),
    reindex,
  };
};

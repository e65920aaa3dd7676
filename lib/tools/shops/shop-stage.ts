import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { clientSettings } from '../deploy/aws-call.ts';
import { readStage, stageFile } from '../deploy/stage-files.ts';
import { offerOfStage } from '../deploy/stage-offer.ts';
import { deployedSettings, functionNameOf } from '../deploy/stack-outputs.ts';
import type { StageFunctions } from './call-operation.ts';
import type { SecretStore } from './store-entry.ts';

/** A deployed stage, as the commands of shops use it. */
export type ShopStage = {
  readonly store: SecretStore;
  readonly functions: StageFunctions;
  readonly secretPrefix: string;
  /** The platforms whose deliveries the stage accepts. */
  readonly platforms: readonly string[];
  readonly region: string;
  /** The origin of the hooks API. */
  readonly hooksUrl: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the stage knows intents: what commands want at shops. */
  readonly hasIntents: boolean;
};

/**
 * Reads a deployed stage. It also sets the variables with which the platforms find their secrets: they have the code of
 * the functions.
 *
 * @returns a failure of one line for each error
 * @throws {Error} when AWS cannot be called
 */
export const openShopStage = async (name: string): Promise<Result<ShopStage, string>> => {
  const stage = await readStage(name);
  if (!stage.ok) return fail(stage.failure.join('\n'));
  const offer = await offerOfStage(stage.value);
  if (!offer.ok) return fail(`${stageFile(name)}: ${offer.failure}`);
  const { region } = stage.value;
  const { outputs, parameters } = await deployedSettings(name, region);
  const { HooksUrl: hooksUrl } = outputs;
  const { PlatformSecrets = '', Platforms = '', KmsKeyArn = '' } = parameters;
  if (hooksUrl === undefined || PlatformSecrets === '') return fail(`the stage ${name} receives no webhooks.`);
  Object.assign(process.env, { AWS_REGION: region, PLATFORM_SECRETS: PlatformSecrets, PLATFORMS: Platforms });
  return ok({
    store: {
      client: new SecretsManagerClient({ ...clientSettings, region }),
      keyArn: KmsKeyArn === '' ? undefined : KmsKeyArn,
    },
    functions: { client: new LambdaClient({ ...clientSettings, region }), functionName: functionNameOf(name) },
    secretPrefix: PlatformSecrets,
    platforms: Platforms.split(',').map((platform) => platform.trim()),
    region,
    hooksUrl,
    outputs,
    parameters,
    hasIntents: offer.value.mode === 'standalone',
  });
};

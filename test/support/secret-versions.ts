import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createAgent } from '../../lib/access/net/agent.ts';
import { systemClock, type Clock } from '../../lib/access/net/clock.ts';
import { earlyClient } from '../../lib/access/secrets/early-client.ts';
import type { SecretReader } from '../../lib/access/secrets/fetch-secret.ts';
import { plantClientSecret } from './emitted/record.ts';
import { startServer, type Answer, type TestServer } from './http-server.ts';

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING';
type Version = { readonly versionId: string; readonly text: string };

/** A Secrets Manager in the protocol of the SDK (AWS JSON 1.1), with one secret. */
export type SecretVersions = AsyncDisposable & {
  /** The client of the connected functions: the SDK's own, on our own connections. */
  readonly client: SecretReader;
  readonly server: TestServer;
  readonly versions: Map<Stage, Version>;
  /** Returns how often a stage was read. */
  readonly reads: (stage?: Stage) => number;
  /** The response to use instead, while set. */
  fault: Answer | undefined;
  /** A promise that it awaits before it answers. */
  hold: Promise<void> | undefined;
};

const stageOf = (body: string) => (JSON.parse(body) as { VersionStage: Stage }).VersionStage;

/** @param clock of the time limits of the client's connections */
export const startSecretVersions = async (current: Version, clock: Clock = systemClock): Promise<SecretVersions> => {
  const versions = new Map<Stage, Version>();
  const set = versions.set.bind(versions);
  versions.set = (stage, version) => {
    plantClientSecret(version.text);
    return set(stage, version);
  };
  versions.set('AWSCURRENT', current);
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  const server = await startServer(async ({ body }) => {
    await fake.hold;
    if (fake.fault !== undefined) return fake.fault;
    const { SecretId, VersionStage } = JSON.parse(body) as { SecretId: string; VersionStage: Stage };
    const version = versions.get(VersionStage);
    if (version === undefined) {
      return { status: 400, headers, body: JSON.stringify({ __type: 'ResourceNotFoundException', message: 'none' }) };
    }
    const { versionId, text } = version;
    const answer = {
      ARN: SecretId,
      Name: SecretId,
      VersionId: versionId,
      SecretString: text,
      VersionStages: [VersionStage],
    };
    return { status: 200, headers, body: JSON.stringify(answer) };
  });
  const agent = createAgent({ clock });
  const client = earlyClient(
    agent,
    server.origin,
    ({ requestHandler }) =>
      new SecretsManagerClient({
        endpoint: server.origin,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        maxAttempts: 1,
        requestHandler,
      }),
  );
  const fake: SecretVersions = {
    client,
    server,
    versions,
    reads: (stage) => server.requests.filter(({ body }) => stage === undefined || stageOf(body) === stage).length,
    fault: undefined,
    hold: undefined,
    [Symbol.asyncDispose]: async () => {
      await agent.end();
      await server[Symbol.asyncDispose]();
    },
  };
  return fake;
};

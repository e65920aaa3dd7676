import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import type { SecretsCalled } from '../events.ts';
import { closeServer, listen } from '../ports.ts';
import { generateSecretString, SecretsError, type Secrets } from './secrets-store.ts';
import { forPrograms } from './web-page.ts';
import { assertKnownProperties } from '../known-properties.ts';

type SecretsRequest = Omit<SecretsCalled, 'type'>;

type Input = {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly VersionId?: string;
  readonly VersionStage?: string;
  readonly VersionStages?: readonly string[];
  readonly ClientRequestToken?: string;
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
  readonly SecretString?: string;
  readonly SecretBinary?: string;
};

type Action = (secrets: Secrets, input: Input) => Promise<object>;

const required = (input: Input, name: 'SecretId' | 'Name' | 'VersionStage'): string => {
  const value = input[name];
  if (typeof value !== 'string' || value === '')
    throw new SecretsError('InvalidParameterException', `${name} is required.`);
  return value;
};

const valueIn = ({ SecretString, SecretBinary }: Input) => {
  if ((SecretString === undefined) === (SecretBinary === undefined)) {
    throw new SecretsError(
      'InvalidParameterException',
      'You must provide either SecretString or SecretBinary, and not both.',
    );
  }
  return SecretString === undefined ? { secretBinary: SecretBinary as string } : { secretString: SecretString };
};

const actions: Readonly<Record<string, Action>> = {
  GetSecretValue: async (secrets, input) => {
    const { VersionId, VersionStage } = input;
    const found = secrets.get(required(input, 'SecretId'), {
      ...(VersionId !== undefined && { versionId: VersionId }),
      ...(VersionStage !== undefined && { stage: VersionStage }),
    });
    return {
      ARN: found.arn,
      Name: found.name,
      VersionId: found.versionId,
      SecretString: found.secretString,
      SecretBinary: found.secretBinary,
      VersionStages: found.stages,
      CreatedDate: found.createdDate,
    };
  },
  PutSecretValue: async (secrets, input) => {
    const put = await secrets.put(required(input, 'SecretId'), valueIn(input), {
      ...(input.ClientRequestToken !== undefined && { token: input.ClientRequestToken }),
      ...(input.VersionStages !== undefined && { stages: input.VersionStages }),
    });
    return { ARN: put.arn, Name: put.name, VersionId: put.versionId, VersionStages: put.stages };
  },
  DescribeSecret: async (secrets, input) => {
    const { arn, name, labels } = secrets.describe(required(input, 'SecretId'));
    return { ARN: arn, Name: name, VersionIdsToStages: labels };
  },
  UpdateSecretVersionStage: async (secrets, input) => {
    const { MoveToVersionId: to, RemoveFromVersionId: from } = input;
    const moved = await secrets.moveStage(required(input, 'SecretId'), {
      stage: required(input, 'VersionStage'),
      ...(to !== undefined && { to }),
      ...(from !== undefined && { from }),
    });
    return { ARN: moved.arn, Name: moved.name };
  },
  RotateSecret: async (secrets, input) => {
    const rotated = await secrets.beginRotation(required(input, 'SecretId'), input.ClientRequestToken);
    return { ARN: rotated.arn, Name: rotated.name, VersionId: rotated.versionId };
  },
  CreateSecret: async (secrets, input) => {
    const created = await secrets.create(required(input, 'Name'), valueIn(input), input.ClientRequestToken);
    return { ARN: created.arn, Name: created.name, VersionId: created.versionId };
  },
};

const perform = async (
  secrets: Secrets,
  action: string,
  body: string,
): Promise<{ status: number; output: object; secretId: string }> => {
  let secretId = '';
  try {
    const run = actions[action];
    if (run === undefined)
      throw new SecretsError('UnknownOperationException', `The local stack does not know ${action}.`);
    const input = JSON.parse(body) as Input;
    secretId = input.SecretId ?? input.Name ?? '';
    return { status: 200, output: await run(secrets, input), secretId };
  } catch (error) {
    if (error instanceof SecretsError)
      return { status: 400, output: { __type: error.name, Message: error.message }, secretId };
    const name = error instanceof SyntaxError ? 'SerializationException' : 'InternalServiceError';
    return {
      status: name === 'InternalServiceError' ? 500 : 400,
      output: { __type: name, Message: 'The request was not understood.' },
      secretId,
    };
  }
};

const respond = async (
  secrets: Secrets,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<SecretsRequest> => {
  const at = Date.now();
  const action = String(request.headers['x-amz-target'] ?? '').replace(/^secretsmanager\./, '');
  const { status, output, secretId } = await perform(secrets, action, await text(request));
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(output));
  return { action, secretId, status, at, ms: Date.now() - at };
};

/**
 * Serves the part of Secrets Manager that the bundle, its rotation and its tests use.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/
 */
export const startSecretsManager = async (
  secrets: Secrets,
  port: number,
  onRequest?: (request: SecretsRequest) => void,
) => {
  const server = createServer(
    forPrograms(async (request, response) => {
      const call = await respond(secrets, request, response);
      onRequest?.(call);
    }),
  );
  const url = await listen(server, port);
  const close = async (): Promise<void> => {
    await closeServer(server);
    await secrets.saved();
  };
  return { url, close };
};

type Properties = { readonly GenerateSecretString?: Parameters<typeof generateSecretString>[0] };

/** Creates the missing secrets of the template. */
export const createSecrets = async (secrets: Secrets, deployed: readonly Deployed[]): Promise<void> => {
  const known = new Set(['Name', 'Description', 'KmsKeyId', 'Tags', 'GenerateSecretString']);
  for (const { logicalId, local, properties } of deployed) {
    assertKnownProperties(properties, known, `/Resources/${logicalId}/Properties`);
    const name = local.attributes['Name'] ?? logicalId;
    if (secrets.has(name)) continue;
    const { GenerateSecretString: options } = properties as Properties;
    await secrets.create(name, options && { secretString: generateSecretString(options) });
  }
};

import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { Mode } from '../template/functions/function-row.ts';
import type { Offer } from '../template/offer.ts';
import type { Stage } from './stage-file.ts';

/** The stack of a stage, as osls names it. */
const stackName = (stage: string): string => `returns-${stage}`;

const withClient = async <Result>(
  region: string,
  work: (client: CloudFormationClient) => Promise<Result>,
): Promise<Result> => {
  const client = new CloudFormationClient({ region });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
};

/** Reads the stack of a stage; undefined when it does not exist. */
const describeStack = async (client: CloudFormationClient, stage: string): Promise<Stack | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName(stage) }));
    return Stacks[0];
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
};

/** Reads the origin of the API, the outputs and the parameters of a stack. */
const readStack = async (client: CloudFormationClient, stage: string) => {
  const { Outputs = [], Parameters = [] } = (await describeStack(client, stage)) ?? {};
  const outputs: Readonly<Record<string, string>> = Object.fromEntries(
    Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  const parameters: Readonly<Record<string, string>> = Object.fromEntries(
    Parameters.map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
  );
  const { ApiUrl: apiUrl } = outputs;
  if (apiUrl === undefined) throw new Error(`the stack ${stackName(stage)} has no output ApiUrl`);
  return { apiUrl, outputs, parameters };
};

/**
 * Reads the outputs and the parameters of a deployed stage.
 *
 * @throws {Error} when the stack does not exist
 */
export const deployedSettings = async (stage: string, region: string) =>
  withClient(region, async (client) => readStack(client, stage));

/** Returns a function that returns the name of a function by its name in the table of functions. */
export const functionNameOf = (stage: string) => (row: string) => `${stackName(stage)}-${row}`;

/**
 * Reads the origin of a deployed API from the outputs of its stack.
 *
 * @throws {Error} when the stack or the output does not exist
 */
export const deployedApi = async (stage: string, region: string): Promise<string> =>
  withClient(region, async (client) => (await readStack(client, stage)).apiUrl);

/** Returns the credentials that the SDK finds, as variables: the functions look for no others. */
export const credentialVariables = async (region: string): Promise<Readonly<Record<string, string>>> =>
  withClient(region, async ({ config }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = await config.credentials();
    return {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
    };
  });

/** Reads the parameter of a deployed stage; empty when the stage or the parameter does not exist. */
export const deployedParameter = async (stage: string, region: string, name: string): Promise<string> =>
  withClient(region, async (client) => {
    const stack = await describeStack(client, stage);
    return stack?.Parameters?.find(({ ParameterKey }) => ParameterKey === name)?.ParameterValue ?? '';
  });

/** Returns the name of the table that a stage has made; undefined when it has none. */
export const deployedTable = async (stage: string, region: string): Promise<string | undefined> =>
  withClient(region, async (client) => {
    const resources = await readResources(client, stackName(stage));
    return resources.find(({ LogicalResourceId }) => LogicalResourceId === 'Table')?.PhysicalResourceId;
  });

/** A stage as CloudFormation has deployed it. */
export type DeployedStage = {
  readonly mode: Mode;
  /** What the stage offers, by its file. */
  readonly offer: Offer;
  readonly region: string;
  /** Origin of the API. */
  readonly apiUrl: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Returns the name that AWS gave a resource of the template. @throws {Error} when the stack has no such resource */
  readonly physical: (logicalId: string) => string;
  /** The ids of all event source mappings. */
  readonly mappings: readonly string[];
  /** Returns the name of a function by its name in the table of functions. */
  readonly functionName: (name: string) => string;
};

/** Reads the resources of a stack and of the stacks nested in it. */
const readResources = async (client: CloudFormationClient, stack: string): Promise<readonly StackResourceSummary[]> => {
  const found: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stack }))
    found.push(...(page.StackResourceSummaries ?? []));
  const nested = found.filter(({ ResourceType }) => ResourceType === 'AWS::CloudFormation::Stack');
  const inside = await Promise.all(
    nested.map(({ PhysicalResourceId = '' }) => readResources(client, PhysicalResourceId)),
  );
  return [...found, ...inside.flat()];
};

/**
 * Reads a deployed stage.
 *
 * @throws {Error} when the stack does not exist
 */
export const readDeployedStage = async (name: string, { region }: Stage, offer: Offer): Promise<DeployedStage> =>
  withClient(region, async (client) => {
    const [stack, resources] = await Promise.all([readStack(client, name), readResources(client, stackName(name))]);
    const byLogicalId = new Map(resources.map((resource) => [resource.LogicalResourceId, resource.PhysicalResourceId]));
    return {
      mode: offer.mode,
      offer,
      region,
      ...stack,
      physical: (logicalId) => {
        const found = byLogicalId.get(logicalId);
        if (found === undefined) throw new Error(`the stack ${stackName(name)} has no resource ${logicalId}`);
        return found;
      },
      mappings: resources
        .filter(({ ResourceType }) => ResourceType === 'AWS::Lambda::EventSourceMapping')
        .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []),
      functionName: functionNameOf(name),
    };
  });

import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';

/** The stack of a stage, as osls names it. */
const stackName = (stage: string): string => `returns-${stage}`;

/** Reads the stack of a stage; undefined when it does not exist. */
const describeStack = async (stage: string, region: string): Promise<Stack | undefined> => {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName(stage) }));
    return Stacks[0];
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};

/**
 * Reads the origin of a deployed API from the outputs of its stack.
 *
 * @throws {Error} when the stack or the output does not exist
 */
export const deployedApi = async (stage: string, region: string): Promise<string> => {
  const stack = await describeStack(stage, region);
  const url = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'ApiUrl')?.OutputValue;
  if (url === undefined) throw new Error(`the stack ${stackName(stage)} has no output ApiUrl`);
  return url;
};

/** Reads the parameter of a deployed stage; empty when the stage or the parameter does not exist. */
export const deployedParameter = async (stage: string, region: string, name: string): Promise<string> => {
  const stack = await describeStack(stage, region);
  return stack?.Parameters?.find(({ ParameterKey }) => ParameterKey === name)?.ParameterValue ?? '';
};

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** The stack of a stage, as osls names it. */
const stackName = (stage: string): string => `returns-${stage}`;

/**
 * Reads the origin of a deployed API from the outputs of its stack.
 *
 * @throws {Error} when the stack or the output does not exist
 */
export const deployedApi = async (stage: string, region: string): Promise<string> => {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName(stage) }));
    const url = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'ApiUrl')?.OutputValue;
    if (url === undefined) throw new Error(`the stack ${stackName(stage)} has no output ApiUrl`);
    return url;
  } finally {
    client.destroy();
  }
};

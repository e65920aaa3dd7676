import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from '../../template/cloudformation/deployment.ts';
import { clientSettings, type FunctionSpec } from './function-spec.ts';

type FailedInvocation = {
  readonly spec: FunctionSpec;
  readonly requestId: string;
  readonly event: unknown;
  /** The failure of the function, in Lambda's format. */
  readonly report: object;
};

/** Sends a failed event to the destination of the function, if it has one. */
export type SendDeadLetter = (failed: FailedInvocation) => Promise<void>;

type Properties = {
  readonly FunctionName: string;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination: string } };
};

/**
 * Returns Lambda's record of a failed event.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
const recordOf = ({ spec, requestId, event, report }: FailedInvocation) => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId,
    functionArn: spec.arn,
    condition: 'RetriesExhausted',
    approximateInvokeCount: 1,
  },
  requestPayload: event,
  responseContext: { statusCode: 200, executedVersion: '1', functionError: 'Unhandled' },
  responsePayload: report,
});

/** Dead-letters events as a deployment configures it: into queues, with the role of the failed function. */
export const createDeadLetterSender =
  (deployment: Deployment, endpoint: string): SendDeadLetter =>
  async (failed) => {
    const { name } = failed.spec;
    const config = deployment
      .ofType('AWS::Lambda::EventInvokeConfig')
      .map(({ properties }) => properties as Properties)
      .find(({ FunctionName }) => FunctionName === name);
    const destination = config?.DestinationConfig?.OnFailure?.Destination;
    if (destination === undefined) return;
    const queue = deployment.ofType('AWS::SQS::Queue').find(({ local }) => local.attributes['Arn'] === destination);
    if (queue === undefined) throw new Error(`${name}: the local stack knows destinations that are its queues only`);
    const credentials = { ...clientSettings.credentials, accessKeyId: name };
    const client = new SQSClient({ ...clientSettings, endpoint, credentials });
    try {
      await client.send(
        new SendMessageCommand({ QueueUrl: queue.local.ref, MessageBody: JSON.stringify(recordOf(failed)) }),
      );
    } finally {
      client.destroy();
    }
  };

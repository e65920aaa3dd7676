import type { Identities } from './identities.ts';
import { covers } from './policy.ts';
import type { Mapping } from './queue-poller.ts';

/**
 * Checks a function that can write to the queue that feeds it. Lambda stops such a loop after about 16 invocations and
 * drops the message, unless the function allows the loop.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 *
 * @throws when Lambda would stop the loop
 */
export const checkLoop = (identities: Identities, { function: spec, queueArn, queueName }: Mapping): void => {
  const permissions = identities.get(spec.name)?.permissions ?? [];
  const access = { action: 'sqs:SendMessage', resource: queueArn };
  if (!permissions.some((permission) => covers(permission, access))) return;
  if (spec.recursiveLoop !== 'Allow')
    throw new Error(
      `${spec.name} is fed from ${queueName} and may write to it: Lambda stops it after 16 invocations in a row. Its RecursiveLoop must be Allow`,
    );
};

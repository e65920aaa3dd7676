import { describe, expect, it } from 'vitest';
import { startBehindProxy } from '../support/lambda-runtime/behind-proxy.ts';
import type { Invoked } from '../support/lambda-runtime/container.ts';
import type { Mode as Fault } from '../support/proxy.ts';
import { stack } from '../support/stack.ts';
import { sample } from '../support/samples.ts';

const { aws, issuer, standalone } = stack();

const hangs = (fault: Fault) => fault === 'hang' || fault === 'drip';
const statusFor = (fault: Fault) => (hangs(fault) ? 504 : 503);

/** Returns a time limit for faults that hang. It is shorter than a function's own. */
const timeoutFor = (fault: Fault) => (hangs(fault) ? 1_500 : undefined);

const statusOf = ({ outcome, left }: Invoked) => ({
  status: outcome.kind === 'response' ? (outcome.payload as { statusCode: number }).statusCode : outcome,
  left,
});

const dynamodb = { name: 'DynamoDB', origin: aws.dynamodb };
const sqs = { name: 'SQS', origin: aws.sqs };
const secrets = { name: 'Secrets Manager', origin: aws.secretsManager };
const provider = { name: 'the identity provider', origin: issuer };
const service = { name: 'the Returns Service', origin: standalone.url };

describe.concurrent('invocation during an outage leaves nothing behind', () => {
  it.each(
    sample(
      [
        { mode: 'standalone', ...dynamodb, faults: ['hang', 'reset', 'refuse'] },
        { mode: 'connected', ...service, faults: ['hang', 'reset', 'refuse', 'drip'] },
      ] as const,
      2,
    ),
  )('$mode: in a request without $name, and in the next one', async ({ mode, origin, faults }) => {
    await using one = await startBehindProxy(mode, 'getReturn', origin, stack());
    for (const fault of faults) {
      await one.proxy.turn(fault);
      const failed = statusOf(await one.invoke(timeoutFor(fault)));
      expect({ fault, ...failed }).toEqual({ fault, status: statusFor(fault), left: [] });
      await one.proxy.turn('pass');
      expect({ after: fault, ...statusOf(await one.invoke()) }).toEqual({ after: fault, status: 404, left: [] });
    }
  });

  it.each(
    sample(
      (['hang', 'reset', 'refuse', 'drip'] as const).flatMap((fault) =>
        [provider, secrets].map((dependency) => ({ ...dependency, fault })),
      ),
      3,
    ),
  )('in a token request without $name: $fault', async ({ origin, fault }) => {
    await using one = await startBehindProxy('connected', 'getReturn', origin, stack());
    await one.proxy.turn(fault);
    expect(statusOf(await one.invoke(timeoutFor(fault)))).toEqual({ status: statusFor(fault), left: [] });
    expect(await one.invoke(timeoutFor(fault))).toMatchObject({ left: [] });
  });

  it.each(
    sample(
      [
        { ...dynamodb, faults: ['hang', 'reset', 'refuse'] },
        { ...sqs, faults: ['reset', 'refuse'] },
      ] as const,
      2,
    ),
  )('in a delivery that fails without $name, and is retried', async ({ origin, faults }) => {
    await using one = await startBehindProxy('connected', 'process', origin, stack());
    const payload = { batchItemFailures: [{ itemIdentifier: 'm-1' }] };
    for (const fault of faults) {
      await one.proxy.turn(fault);
      const { outcome, left } = await one.invoke(timeoutFor(fault));
      expect({ fault, outcome, left }).toEqual({ fault, outcome: { kind: 'response', payload }, left: [] });
    }
  });
});

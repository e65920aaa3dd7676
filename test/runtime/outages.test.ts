import { describe, expect, it } from 'vitest';
import { startBehindProxy } from '../support/lambda-runtime/behind-proxy.ts';
import type { Invoked } from '../support/lambda-runtime/container.ts';
import type { Mode } from '../support/proxy.ts';
import { stack } from '../support/stack.ts';
import { sample } from '../support/samples.ts';

const { aws, issuer, standalone } = stack();

const hangs = (mode: Mode) => mode === 'hang' || mode === 'drip';
const statusFor = (mode: Mode) => (hangs(mode) ? 504 : 503);

/** For what hangs, less than a function has: it is ended by its deadline. */
const timeoutFor = (mode: Mode) => (hangs(mode) ? 1_500 : undefined);

const statusOf = ({ outcome, left }: Invoked) => ({
  status: outcome.kind === 'response' ? (outcome.payload as { statusCode: number }).statusCode : outcome,
  left,
});

const dynamodb = { name: 'DynamoDB', origin: aws.dynamodb };
const sqs = { name: 'SQS', origin: aws.sqs };
const secrets = { name: 'Secrets Manager', origin: aws.secretsManager };
const provider = { name: 'the identity provider', origin: issuer };
const service = { name: 'the Returns Service', origin: standalone.url };

describe.concurrent('what fails leaves nothing behind', () => {
  it.each(
    sample(
      [
        { way: 'standalone', ...dynamodb, modes: ['hang', 'reset', 'refuse'] },
        { way: 'connected', ...service, modes: ['hang', 'reset', 'refuse', 'drip'] },
      ] as const,
      2,
    ),
  )('$way: a request while $name is away, and the next one', async ({ way, origin, modes }) => {
    await using one = await startBehindProxy(way, 'getReturn', origin, stack());
    for (const mode of modes) {
      await one.proxy.turn(mode);
      const failed = statusOf(await one.invoke(timeoutFor(mode)));
      expect({ mode, ...failed }).toEqual({ mode, status: statusFor(mode), left: [] });
      await one.proxy.turn('pass');
      expect({ after: mode, ...statusOf(await one.invoke()) }).toEqual({ after: mode, status: 404, left: [] });
    }
  });

  it.each(
    sample(
      (['hang', 'reset', 'refuse', 'drip'] as const).flatMap((mode) =>
        [provider, secrets].map((dependency) => ({ ...dependency, mode })),
      ),
      3,
    ),
  )('a token that is not had because of $name: $mode', async ({ origin, mode }) => {
    await using one = await startBehindProxy('connected', 'getReturn', origin, stack());
    await one.proxy.turn(mode);
    expect(statusOf(await one.invoke(timeoutFor(mode)))).toEqual({ status: statusFor(mode), left: [] });
    expect(await one.invoke(timeoutFor(mode))).toMatchObject({ left: [] });
  });

  it.each(
    sample(
      [
        { ...dynamodb, modes: ['hang', 'reset', 'refuse'] },
        { ...sqs, modes: ['reset', 'refuse'] },
      ] as const,
      2,
    ),
  )('a delivery that cannot be worked off because of $name, and comes again', async ({ origin, modes }) => {
    await using one = await startBehindProxy('connected', 'process', origin, stack());
    const payload = { batchItemFailures: [{ itemIdentifier: 'm-1' }] };
    for (const mode of modes) {
      await one.proxy.turn(mode);
      const { outcome, left } = await one.invoke(timeoutFor(mode));
      expect({ mode, outcome, left }).toEqual({ mode, outcome: { kind: 'response', payload }, left: [] });
    }
  });
});

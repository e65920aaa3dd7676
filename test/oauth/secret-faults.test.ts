import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/http-server.ts';
import { brokenAnswers, oldFashioned } from '../support/wire-faults.ts';
import { marker, second, secretText } from './harness.ts';
import { unavailable } from './three-states.ts';
import { startWorld, type World } from './world.ts';

const text = secretText(`one+&=% ${marker}`);
const aws = (status: number, type: string): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: type, message: marker }),
});
const answer = JSON.stringify({ Name: 'id', VersionId: 'v1', SecretString: text });

/** What Secrets Manager answers, and the reason as an operator sees it. */
const parserCodes: Readonly<Record<string, string>> = {
  'a status line that is none': 'HPE_INVALID_CONSTANT',
  'two Content-Lengths that differ': 'HPE_UNEXPECTED_CONTENT_LENGTH',
  'headers of 100 KB': 'HPE_HEADER_OVERFLOW',
};

const faults: readonly (readonly [name: string, answer: Answer, reason: string])[] = [
  ['throttling', aws(400, 'ThrottlingException'), 'ThrottlingException'],
  ['AccessDenied', aws(400, 'AccessDeniedException'), 'AccessDeniedException'],
  ['a key that may not be used', aws(400, 'DecryptionFailure'), 'DecryptionFailure'],
  ['no such secret', aws(400, 'ResourceNotFoundException'), 'ResourceNotFoundException'],
  ['500', aws(500, 'InternalServiceError'), 'InternalServiceError'],
  ['503 with HTML', { status: 503, headers: { 'content-type': 'text/html' }, body: `<html>${marker}` }, 'SyntaxError'],
  ['an answer that is no JSON', { status: 200, body: `{"SecretString": "${marker}` }, 'SyntaxError'],
  ['an answer without a secret', { status: 200, body: '{"VersionId":"v1"}' }, 'EmptySecret'],
  ['an answer without a version', { status: 200, body: JSON.stringify({ SecretString: text }) }, 'EmptySecret'],
  ...Object.entries(brokenAnswers(answer)).map(
    ([name, broken]) => [name, broken, parserCodes[name] ?? 'ECONNRESET'] as const,
  ),
];

const fail = ({ secrets }: World, fault: Answer | undefined) => void (secrets.fault = fault);

describe.each(faults)('%s', (_, fault, reason) => {
  it('is SecretUnavailable where nothing was ever read, until it is over', async () => {
    await using world = await startWorld();
    fail(world, fault);
    const first = await world.call();
    expect(first).toEqual(unavailable(`SecretUnavailable ${reason}`, '1'));
    expect(await world.call()).toEqual(first);
    expect([world.posts(), world.secrets.reads(), world.shown()]).toEqual([0, 1, []]);
    fail(world, undefined);
    // A secret that does not exist is not looked for again so soon.
    world.clock.advance(30 * second);
    expect(await world.call()).toEqual({ status: 200 });
  });

  it('leaves the last known good without a token, and asks again after half a minute', async () => {
    await using world = await startWorld();
    await world.call();
    fail(world, fault);
    world.clock.advance(3_540 * second);
    expect(await world.call()).toEqual({ status: 200 });
    expect([world.posts(), world.secrets.reads()]).toEqual([2, 2]);
    fail(world, undefined);
    world.clock.advance(29 * second);
    await world.call();
    await world.settle();
    expect(world.secrets.reads()).toBe(2);
    world.clock.advance(second);
    await world.call();
    await world.settle();
    expect(world.secrets.reads()).toBe(3);
  });

  it('is nothing to see with a valid token', async () => {
    await using world = await startWorld();
    await world.call();
    fail(world, fault);
    world.clock.advance(2_880 * second);
    expect(await world.call()).toEqual({ status: 200 });
    await world.settle();
    expect(await world.call()).toEqual({ status: 200 });
    expect(world.shown()).toEqual(['token-1', 'token-1', 'token-2']);
  });
});

describe('Secrets Manager that hangs', () => {
  const waitOut = async ({ secrets, clock }: World, reads: number) => {
    await secrets.server.received(reads);
    clock.advance(3 * second);
  };

  it('is given 3 s where nothing was ever read', async () => {
    await using world = await startWorld();
    fail(world, 'hang');
    const calling = world.call();
    await waitOut(world, 1);
    expect(await calling).toMatchObject({ status: 503, reason: expect.stringMatching(/^SecretUnavailable /) });
    fail(world, undefined);
    world.clock.advance(second);
    expect(await world.call()).toEqual({ status: 200 });
  });

  it('delays one call by 3 s when a token is needed, and then leaves the last known good', async () => {
    await using world = await startWorld();
    await world.call();
    fail(world, 'hang');
    world.clock.advance(3_540 * second);
    const calling = world.call();
    await waitOut(world, 2);
    expect(await calling).toEqual({ status: 200 });
    expect(world.shown()).toEqual(['token-1', 'token-2']);
  });
});

describe('an unusual answer that is good', () => {
  it.each<[string, Answer]>([
    ['a binary secret', { status: 200, body: JSON.stringify({ VersionId: 'v1', SecretBinary: btoa(text) }) }],
    ['HTTP/1.0', oldFashioned(answer)],
    ['fields that are new', { status: 200, body: `${answer.slice(0, -1)},"More":{"a":[1]}}` }],
  ])('%s', async (_, unusual) => {
    await using world = await startWorld();
    fail(world, unusual);
    expect(await world.call()).toEqual({ status: 200 });
  });
});

describe('a secret that is none', () => {
  it.each([
    ['no JSON', `{"clientSecret": "${marker}`, 'malformed JSON'],
    ['an array', `["${marker}"]`, 'malformed JSON'],
    ['no client', JSON.stringify({ clientSecret: marker }), 'malformed clientId'],
    ['an empty secret', JSON.stringify({ clientId: 'c', clientSecret: '' }), 'malformed clientSecret'],
    ['a number for a secret', JSON.stringify({ clientId: 'c', clientSecret: 7 }), 'malformed clientSecret'],
    ['an authUrl that is none', secretText(marker, { authUrl: `no ${marker}` }), 'malformed authUrl'],
  ])('says where, and quotes nothing: %s', async (_, value, reason) => {
    await using world = await startWorld({ text: value });
    expect(await world.call()).toEqual(unavailable(`SecretUnavailable ${reason}`, '1'));
    // Once more at once: somebody may be mending it.
    expect([world.posts(), world.secrets.reads()]).toEqual([0, 2]);
    world.rotate('v2', text);
    world.clock.advance(10 * second);
    expect(await world.call()).toEqual({ status: 200 });
  });
});

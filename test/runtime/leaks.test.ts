import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TooLargeError } from '../../lib/store/engine/pack.ts';
import { temporaryDirectory } from '../tools/local/support.ts';
import { awsError, startFleet } from '../access/oauth/fleet.ts';
import { testAuthority } from '../support/certificate.ts';
import { record, plant, plantClientSecret } from '../support/emitted/record.ts';
import { search, secretsIn } from '../support/emitted/search.ts';
import '../support/stack.ts';
import { startPlanted } from '../support/lambda-runtime/planted.ts';
import { stackDataDir } from '../support/stack.ts';

const secret = 'kU4/+n=%"w8Qx0rT2mZpE6bYcA1';
const { privateKey } = testAuthority('planted').issue('planted');

/** Returns the leaks of two invocations of a function with this body, in its own scope. */
const found = async (body: string) => {
  const scope = await temporaryDirectory();
  plant([secret], scope);
  {
    await using container = await startPlanted(
      `const secret = ${JSON.stringify(secret)}; const key = ${JSON.stringify(privateKey)};
      export const handler = async () => { ${body} };`,
      { scope },
    );
    await container.invoke({});
    await container.invoke({});
  }
  const { leaks, searched } = await search(scope);
  return { leaks: leaks.map(({ file, what }) => `${what} in ${file.replace(/-\d+$/, '')}`), searched };
};

describe('leak search in the output of a function', () => {
  it.each([
    ['in its log', 'console.log(secret)', 'a planted secret in emitted/log'],
    ['on standard error', 'process.stderr.write(`x${secret}x\\n`)', 'a planted secret in emitted/log'],
    ['within JSON', 'console.log(JSON.stringify({ a: { secret } }))', 'a planted secret in emitted/log'],
    ['in a URL', 'console.log(`?s=${encodeURIComponent(secret)}`)', 'a planted secret in emitted/log'],
    ['in base64', 'console.log(btoa(`client:${secret}:end`))', 'a planted secret in emitted/log'],
    ['in hex', 'console.log(Buffer.from(secret).toString("hex"))', 'a planted secret in emitted/log'],
    ['in its response', 'return { body: secret }', 'a planted secret in emitted/outcome'],
    ['in an error', 'throw new Error(`with ${secret}`)', 'a planted secret in emitted/outcome'],
    ['in a cause', 'console.error(new Error("x", { cause: { secret } }))', 'a planted secret in emitted/log'],
    ['a key', 'return key', 'a private key in emitted/outcome'],
    [
      'a token',
      'console.log("Authorization: Bearer eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl")',
      'a JSON web token in emitted/log',
    ],
    ['a token of a test', 'console.log({ token: "token-17" })', 'a token of a test endpoint in emitted/log'],
    ['a secret of a test', 'console.log("one marker-91ee")', 'a secret of a test in emitted/log'],
  ])('finds %s', async (_, body, leak) => {
    expect((await found(body)).leaks).toContain(leak);
  });

  it('finds nothing in a clean output', async () => {
    const { leaks, searched } = await found('console.log("all is well", secret.length); return { statusCode: 200 }');
    expect(leaks).toEqual([]);
    expect(searched).toMatchObject({ log: expect.any(Number), outcome: expect.any(Number) });
  });
});

/** Returns the leaks of an emitted text, with this secret planted. */
const foundIn = async (text: string, planted = secret) => {
  const scope = await temporaryDirectory();
  plant([planted], scope);
  record('log', text, scope);
  return (await search(scope)).leaks.map(({ what }) => what);
};

describe('leak search for marked texts', () => {
  it.each([
    ['a space in a URL', encodeURIComponent('one marker-91ee'), 'a secret of a test'],
    ['a space in a form', new URLSearchParams({ s: 'one marker-91ee' }).toString(), 'a secret of a test'],
    ['a line break in JSON', JSON.stringify('one\nmarker-91ee'), 'a secret of a test'],
    ['a letter after it', 'marker-91ee_x', 'a secret of a test'],
    ['a letter before it', 'xmarker-91ee', 'a secret of a test'],
    ['a quotation mark in a URL', encodeURIComponent('"token-1"'), 'a token of a test endpoint'],
    ['a line break in JSON before a token', JSON.stringify('\ntoken-1'), 'a token of a test endpoint'],
    ['a letter after a token', 'token-1_x', 'a token of a test endpoint'],
    ['a line break in JSON before Bearer', JSON.stringify('\nBearer c29tZXRoaW5nLW9wYXF1ZQ'), 'a bearer token'],
    ['a space in a URL after Bearer', encodeURIComponent('Bearer c29tZXRoaW5nLW9wYXF1ZQ'), 'a bearer token'],
  ])('finds a mark next to any character: %s', async (_, text, what) => {
    expect(await foundIn(text)).toEqual([what]);
  });
});

describe('leak search for planted secrets', () => {
  const written = "of: a (client)'s own ~ secret!";
  const form = new URLSearchParams({ s: written }).toString().slice(2);
  it.each([
    ['in a form', form],
    ['in Basic', btoa(`returns-client:${written}`)],
    // RFC 6749, 2.3.1
    ['in Basic with the encoding of OAuth', btoa(`returns-client:${form}`)],
    ['in Basic, with a user name of two letters', btoa(`cl:${form}`)],
    ['in Basic, with a user name of one letter', btoa(`c:${form}`)],
    ['in Basic with percent-encoding', btoa(`c:${encodeURIComponent(written)}`)],
    ['in hex', Buffer.from(`c:${written}`).toString('hex')],
  ])('finds one %s', async (_, text) => {
    expect(await foundIn(text, written)).toEqual(['a planted secret']);
  });

  it('rejects one that is too short, without quoting it', () => {
    const short = 'fifteen letters';
    expect(() => plant([secret, short])).toThrow(/^secret 1 of these is too short to be searched for$/);
    expect(() => plantClientSecret(JSON.stringify({ client_secret: short }))).toThrow('too short');
  });

  it.each(['clientSecret', 'client_secret'])('plants one from the text of a secret: %s', async (name) => {
    const scope = await temporaryDirectory();
    plantClientSecret(JSON.stringify({ [name]: written }), scope);
    record('log', form, scope);
    expect((await search(scope)).leaks).toMatchObject([{ what: 'a planted secret' }]);
  });
});

it('leak search has no settings of an entry among its secrets', () => {
  const entry = { accessToken: secret, apiUrl: 'https://a.example.com', restockLocation: 'gid://shopify/Location/1' };
  expect(secretsIn(entry)).toEqual([secret]);
});

describe('leak search in our own errors', () => {
  const recordedErrors = () => readFile(join(stackDataDir(), 'emitted', `error-${process.pid}`), 'utf8');

  it('includes a class that only its own file knows', async () => {
    const name = 'OnlyHereRefusedException';
    await using fleet = await startFleet();
    fleet.faults.set('put', awsError(name));
    await fleet.refresh();
    expect(await recordedErrors()).toContain(`the secret cannot be written: ${name}`);
  });

  it('includes a class without a constructor, with its cause', async () => {
    const [message, cause] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(new TooLargeError(message, { cause })).toBeInstanceOf(Error);
    await Promise.resolve();
    expect(await recordedErrors()).toMatch(new RegExp(`TooLargeError: ${message}(.|\\n)*${cause}`));
  });
});

it('leak search finds a key without its first line', async () => {
  const scope = await temporaryDirectory();
  plant(privateKey.split('\n').slice(2, 3), scope);
  record('log', JSON.stringify(privateKey.slice(40)), scope);
  expect((await search(scope)).leaks).toMatchObject([{ what: 'a planted secret' }]);
});

import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../local/support.ts';
import { testAuthority } from '../support/certificate.ts';
import { keep, plant } from '../support/emitted/record.ts';
import { search } from '../support/emitted/search.ts';
import { startPlanted } from '../support/lambda-runtime/planted.ts';

const secret = 'kU4/+n=%"w8Qx0rT2mZpE6bYcA1';
const { privateKey } = testAuthority('planted').issue('planted');

/** What the search says after two invocations of a function with this body, in a scope of its own. */
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

describe('the search finds what a function shows', () => {
  it.each([
    ['in its log', 'console.log(secret)', 'a planted secret in emitted/log'],
    ['on standard error', 'process.stderr.write(`x${secret}x\\n`)', 'a planted secret in emitted/log'],
    ['within JSON', 'console.log(JSON.stringify({ a: { secret } }))', 'a planted secret in emitted/log'],
    ['in a URL', 'console.log(`?s=${encodeURIComponent(secret)}`)', 'a planted secret in emitted/log'],
    ['in base64', 'console.log(btoa(`client:${secret}:end`))', 'a planted secret in emitted/log'],
    ['in hex', 'console.log(Buffer.from(secret).toString("hex"))', 'a planted secret in emitted/log'],
    ['in its answer', 'return { body: secret }', 'a planted secret in emitted/outcome'],
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
  ])('%s', async (_, body, leak) => {
    expect((await found(body)).leaks).toContain(leak);
  });

  it('and nothing in what shows none', async () => {
    const { leaks, searched } = await found('console.log("all is well", secret.length); return { statusCode: 200 }');
    expect(leaks).toEqual([]);
    expect(searched).toMatchObject({ log: expect.any(Number), outcome: expect.any(Number) });
  });
});

it('finds a key that is shown without its first line', async () => {
  const scope = await temporaryDirectory();
  plant(privateKey.split('\n').slice(2, 3), scope);
  keep('log', JSON.stringify(privateKey.slice(40)), scope);
  expect((await search(scope)).leaks).toMatchObject([{ what: 'a planted secret' }]);
});

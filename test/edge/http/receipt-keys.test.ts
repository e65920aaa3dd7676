import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { calculateJwkThumbprint, createRemoteJWKSet, customFetch, compactVerify } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readReceiptKeyRing } from '../../../lib/service/execution/key-ring.ts';
import { serveReceiptKeys } from '../../../lib/edge/http/receipt-keys.ts';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { receiptJwks } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { buildReceipt } from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { temporaryDirectory } from '../../tools/local/support.ts';
import { setEnvironment } from '../../support/environment.ts';
import { ringText } from '../../support/history-keys.ts';
import { stack } from '../../support/stack.ts';
import { hearLines } from '../../support/standard-output.ts';
import { signed } from '../../domain/withdrawals/fixtures.ts';

const path = '/.well-known/withdrawal-receipts.json';
const event = { headers: {}, requestContext: { domainName: 'web.example.com' } } as unknown as APIGatewayProxyEventV2;
/** The function without its container. */
const serve = serveReceiptKeys(async () => receiptJwks(await readReceiptKeyRing()));

/** Starts a container with versions of the secret; without one there is no secret. */
const start = async (...versions: readonly string[]) => {
  const secrets = await openSecrets(`${await temporaryDirectory()}/secrets.json`);
  const manager = await startSecretsManager(secrets, 0);
  for (const [index, secretString] of versions.entries())
    await (index === 0 ? secrets.create('receipts', { secretString }) : secrets.put('receipts', { secretString }));
  setEnvironment({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    RECEIPT_KEYS_ID: 'receipts',
    RECEIPT_ISSUER: 'urn:returns:unit',
  });
  return { [Symbol.asyncDispose]: manager.close };
};

/** Calls the function, and returns what it logged. */
const call = async () => {
  const lines: string[] = [];
  hearLines((line) => lines.push(line));
  const response = await serve(event);
  return { response, body: JSON.parse(response.body ?? '') as { keys?: object[] }, log: lines.join('') };
};

afterEach(() => void vi.restoreAllMocks());

describe('receiptKeys', () => {
  it('serves the public keys of the ring, and nothing of the secret', async () => {
    await using _ = await start(ringText(['first', 'second']));
    const { response, body } = await call();
    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=3600' },
    });
    expect(body.keys).toHaveLength(2);
    for (const key of body.keys ?? []) expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']);
    expect(response.body).not.toMatch(/"d"|the-secret-of-the-key/);
  });

  it('lets a foreign implementation verify a receipt by the address alone', async () => {
    await using _ = await start(ringText(['first', 'second']));
    const fetched = createRemoteJWKSet(new URL(`https://web.example.com${path}`), {
      [customFetch]: async () => {
        const { statusCode = 0, headers, body } = await serve(event);
        return new Response(String(body), { status: statusCode, headers: headers as Record<string, string> });
      },
    });
    const { protectedHeader } = await compactVerify(buildReceipt(signed()), fetched);
    expect(protectedHeader.kid).toBe('second');
  });

  it('serves the keys of the version before a malformed one', async () => {
    await using _ = await start(ringText(['first']), '{"current":"second"');
    const { response, body, log } = await call();
    expect([response.statusCode, body.keys?.length]).toEqual([200, 1]);
    expect(log).toContain('receipt keys malformed');
  });

  it.each([
    ['is missing', []],
    ['was never valid', ['{}', '{"current":"a","a":"short"}']],
  ] as const)('answers 503 while the secret %s, and names nothing of it', async (_, versions) => {
    await using __ = await start(...versions);
    const { response, body, log } = await call();
    expect(response).toMatchObject({
      statusCode: 503,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '30', 'cache-control': 'no-store' },
    });
    expect(body).toMatchObject({
      code: 'dependency_unavailable',
      detail: 'The receipt keys cannot be read. Try again.',
    });
    expect(log).toContain('receipt keys not served');
    expect(response.body).not.toContain('short');
  });

  it('has a route of the web API', async () => {
    const response = await fetch(`${stack().web?.url ?? ''}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jwk-set+json']);
    const { keys } = (await response.json()) as { readonly keys: readonly Record<string, string>[] };
    expect(keys.map(({ kid }) => kid)).toContain('first');
    for (const key of keys) {
      expect(key['d']).toBeUndefined();
      expect(await calculateJwkThumbprint(key)).toMatch(/^[\w-]{43}$/);
    }
  });
});

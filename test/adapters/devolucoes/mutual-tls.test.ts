import { describe, expect, it, onTestFinished } from 'vitest';
import { audience } from '../../../lib/tools/local/emulators/identity-provider.ts';
import { startDevolucoes } from '../../../lib/tools/local/devolucoes/server.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { openBundles } from '../../../lib/tools/local/bundles.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { api } from '../../support/api.ts';
import { testAuthority } from '../../support/certificate.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { newReturn, problemOf } from './world.ts';

const authority = testAuthority('devolucoes');

/** Starts the adapter in front of a service over TLS that demands a client certificate. */
const startOverTls = async (secret: object) => {
  const read = await readAdapter('devolucoes');
  if (!read.ok) throw new Error(read.failure);
  const { offer } = read.value;
  const { root } = await openBundles({ offer });
  const port = await freePort();
  const stack = await startOwnStack({ offer, root, serviceUrl: `https://127.0.0.1:${port}` });
  onTestFinished(stack.close);
  const { certificate, privateKey } = authority.issue('service');
  const service = await startDevolucoes({
    port,
    issuer: stack.info.issuer,
    audience,
    tls: { cert: certificate, key: privateKey, ca: authority.certificate },
  });
  onTestFinished(service.close);
  const known = JSON.parse(stack.secrets.get('returns/client').secretString ?? '') as object;
  await stack.secrets.put('returns/client', { secretString: JSON.stringify({ ...known, ...secret }) });
  return { call: api('connected', stack.info), service };
};

describe('a service of the adapter over mutual TLS', () => {
  it('gets the certificate of the client secret, and answers', async () => {
    const { certificate, privateKey } = authority.issue('client');
    const secret = { certificate, privateKey, ca: authority.certificate };
    const { call, service } = await startOverTls(secret);
    const { status, body } = await call.post('/returns', newReturn('PED-1'));
    expect(status).toBe(201);
    expect(service.books.all().map(({ codigo }) => String(codigo))).toEqual([body.returnId]);
  });

  it('rejects a client without a certificate before any request', async () => {
    const { call, service } = await startOverTls({ ca: authority.certificate });
    expect(problemOf(await call.get('/returns'))).toMatchObject({ status: 503, code: 'dependency_unavailable' });
    expect((await call.post('/returns', newReturn('PED-1'))).status).toBe(504);
    expect(service.books.all()).toEqual([]);
  });
});

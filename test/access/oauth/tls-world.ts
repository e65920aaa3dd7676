import type { ServerOptions } from 'node:https';
import type { CallOptions } from '../../../lib/access/client/outgoing.ts';
import { createService } from '../../../lib/access/client/service.ts';
import { getReturn } from '../../../lib/contract/operations.ts';
import { testAuthority, type TestCertificate } from '../../support/certificate.ts';
import { startTlsApi } from '../../support/tls-api.ts';
import { clientSecret, second, secretText, startHarness } from './harness.ts';

export const root = testAuthority('root');
export const otherAuthority = testAuthority('other');
const server = root.issue('server');

type Pair = Pick<TestCertificate, 'certificate' | 'privateKey'>;

/** Returns the options of a server that demands a certificate of the root. */
export const demanding = ({ certificate, privateKey }: Pair = server): ServerOptions => ({
  cert: certificate,
  key: privateKey,
  ca: root.certificate,
  requestCert: true,
  rejectUnauthorized: true,
});

export const textWith = (pair: Partial<Pair & { readonly ca: string }>, secret = clientSecret): string =>
  secretText(secret, { ca: root.certificate, ...pair });

type World = {
  /** The client's secret. */
  readonly text: string;
  /** The TLS options of both servers, unless a server has its own. */
  readonly tls?: ServerOptions;
  readonly idp?: ServerOptions;
  readonly api?: ServerOptions;
};

/** Starts a client, its token endpoint and an API, all over TLS. */
export const startTlsWorld = async ({ text, tls = demanding(), idp = tls, api = tls }: World) => {
  const random = () => 0;
  const harness = await startHarness({ text, tls: idp, random });
  const service = await startTlsApi(api);
  const { access, clock } = harness;
  const client = createService({ serviceUrl: service.origin, access, clock, random, reserveMs: 0 });
  const input = { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' };
  const options = (): CallOptions => ({
    dryRun: false,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    deadline: clock.now() + 30 * second,
    scopes: ['returns:read'],
  });
  const call = () => client(getReturn, input, options());
  return {
    ...harness,
    api: service,
    call,
    /** Makes a call whose connections fail, up to its last attempt. */
    failingCall: async () => {
      const outcome = call();
      for (const pause of [100, 200]) {
        await Promise.race([outcome, clock.scheduled(pause)]);
        clock.advance(pause);
      }
      return outcome;
    },
    /** Returns the certificates that the token endpoint and the API have received, in this order. */
    shown: () => ({
      idp: harness.idp.server.requests.map(({ thumbprint }) => thumbprint),
      api: service.arrived.map(({ thumbprint }) => thumbprint),
    }),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

export type TlsWorld = Awaited<ReturnType<typeof startTlsWorld>>;

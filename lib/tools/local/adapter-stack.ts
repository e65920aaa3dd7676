import type { AdapterOffer } from '../template/offer.ts';
import { startExampleService } from './example-services.ts';
import { type ExternalServices, putSecret } from './external-services.ts';
import { openLauncher, type StackStart } from './launch.ts';
import type { OwnService } from './own-service.ts';
import { absentMode } from './mode-process.ts';
import { settingsOf } from './mode-settings.ts';
import { freePort, host } from './ports.ts';

/** Starts the example of a service. */
const startExample = async (outside: ExternalServices, { options, emit, closers }: StackStart, name: string) => {
  const { ports = {}, serviceUrl, processingMs } = options;
  const service = await startExampleService(name, {
    port: ports.service ?? 0,
    issuer: outside.identity.issuer,
    ...(processingMs && { processingMs }),
    onCall: (call) => emit({ ...call, type: 'called', source: 'service' }),
  });
  closers.add(service.close);
  return { service, parameters: { ServiceUrl: serviceUrl ?? service.url } };
};

/** A name of its own: an earlier version of a secret is tried too, and that of this machine is no one else's. */
const ownServiceSecret = 'returns/own-service';

/** Stores the secret of a service of the user while the stack runs, and returns the addresses of the service. */
const useOwnService = async (
  { secrets }: ExternalServices,
  { closers }: StackStart,
  { serviceUrl, authUrl, clientSecret }: OwnService,
) => {
  const remove = () => secrets.remove(ownServiceSecret);
  // A process that was killed leaves the secret. As an earlier version, it would hide that the present one is wrong.
  await remove();
  await putSecret(secrets, ownServiceSecret, clientSecret);
  closers.add(remove);
  const service = { url: serviceUrl, path: '', books: undefined };
  return { service, parameters: { ServiceUrl: serviceUrl, AuthUrl: authUrl, ClientSecretId: ownServiceSecret } };
};

/** Starts the deployment of an adapter, in front of a service of the user or of the example of its service. */
export const startAdapter = async (outside: ExternalServices, start: StackStart, { name }: AdapterOffer) => {
  const { options } = start;
  const { ports = {}, sharedToken = false, ownService } = options;
  const { service, parameters: access } = await (ownService === undefined
    ? startExample(outside, start, name)
    : useOwnService(outside, start, ownService));
  const webPort = ports.web || (await freePort());
  const connectedPorts = {
    api: ports.connected ?? 0,
    hooks: ports.hooks ?? 0,
    lambda: ports.lambda ?? 0,
    web: webPort,
  };
  const parameters = {
    ...access,
    SharedToken: sharedToken ? 'on' : 'off',
    WebApi: 'on',
    DocsUrl: `http://${host}:${webPort}`,
  };
  const launch = openLauncher(outside, start);
  const connected = await launch(settingsOf('connected', options, outside, connectedPorts, parameters));
  return {
    connected: connected.mode,
    standalone: absentMode('standalone'),
    service: { name, ...service },
    resources: [connected.resources],
    parameters: { connected: connected.parameters, standalone: {} },
  };
};

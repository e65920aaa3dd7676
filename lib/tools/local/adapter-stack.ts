import type { AdapterOffer } from '../template/offer.ts';
import { startExampleService } from './example-services.ts';
import type { ExternalServices } from './external-services.ts';
import { openLauncher, type StackStart } from './launch.ts';
import { absentMode } from './mode-process.ts';
import { settingsOf, users } from './mode-settings.ts';
import { freePort, host } from './ports.ts';

/** Starts the deployment of an adapter, in front of the example service that it speaks to. */
export const startAdapter = async (outside: ExternalServices, start: StackStart, { name }: AdapterOffer) => {
  const { options, emit, closers } = start;
  const { ports = {}, sharedToken = false, serviceUrl, processingMs } = options;
  const service = await startExampleService(name, {
    port: ports.service ?? 0,
    issuer: outside.identity.issuer,
    ...(processingMs && { processingMs }),
    onCall: (call) => emit({ ...call, type: 'called', source: 'service' }),
  });
  closers.add(service.close);
  const webPort = ports.web || (await freePort());
  const connectedPorts = {
    api: ports.connected ?? 0,
    hooks: ports.hooks ?? 0,
    lambda: ports.lambda ?? 0,
    web: webPort,
  };
  const parameters = {
    ServiceUrl: serviceUrl ?? service.url,
    SharedToken: sharedToken ? 'on' : 'off',
    ...users,
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

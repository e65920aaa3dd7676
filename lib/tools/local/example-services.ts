import { audience } from './emulators/identity-provider.ts';
import { type Devolucoes, type DevolucoesOptions, startDevolucoes } from './devolucoes/server.ts';

/** A service that the local stack has for an adapter. */
export type ExampleService = Devolucoes;

type Options = Omit<DevolucoesOptions, 'audience' | 'tls'>;

/** The adapters that have a service on this machine, by name. */
const services: Readonly<Record<string, (options: DevolucoesOptions) => Promise<ExampleService>>> = {
  devolucoes: startDevolucoes,
};

export const exampleServiceNames: readonly string[] = Object.keys(services);

/** Starts the example service of an adapter, which accepts tokens of the local issuer. */
export const startExampleService = (adapter: string, options: Options): Promise<ExampleService> => {
  const start = services[adapter];
  if (start === undefined) throw new Error(`there is no example service of ${adapter}`);
  return start({ ...options, audience });
};

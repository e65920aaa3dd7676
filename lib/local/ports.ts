import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Where each server listens; 0 takes any free port. */
export type Ports = {
  readonly connected: number;
  readonly standalone: number;
  readonly hooks: number;
  readonly standaloneHooks: number;
  readonly lambda: number;
  readonly standaloneLambda: number;
  readonly identity: number;
  readonly shop: number;
  readonly dynamodb: number;
  readonly sqs: number;
  readonly secrets: number;
  readonly eventBridge: number;
  readonly receiver: number;
};

/** Everything listens on the loopback interface only: the emulators take any credentials. */
export const host = '127.0.0.1';

const portOf = (name: string): number => {
  const value = process.env[name];
  if (value === undefined || value === '') return 0;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`environment variable ${name} must be a port`);
  return port;
};

/** The ports that the environment asks for. */
export const portsFromEnvironment = (): Ports => ({
  connected: portOf('PORT_CONNECTED'),
  standalone: portOf('PORT_STANDALONE'),
  hooks: portOf('PORT_HOOKS'),
  standaloneHooks: portOf('PORT_STANDALONE_HOOKS'),
  lambda: portOf('PORT_LAMBDA'),
  standaloneLambda: portOf('PORT_STANDALONE_LAMBDA'),
  identity: portOf('PORT_IDENTITY'),
  shop: portOf('PORT_SHOP'),
  dynamodb: portOf('PORT_DYNAMODB'),
  sqs: portOf('PORT_SQS'),
  secrets: portOf('PORT_SECRETS'),
  eventBridge: portOf('PORT_EVENTBRIDGE'),
  receiver: portOf('PORT_RECEIVER'),
});

/** Starts a server on the loopback interface and answers its origin. */
export const listen = async (server: Server, port: number): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
};

/** A port that is free now, for a process that wants its number beforehand. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  const origin = await listen(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return Number(new URL(origin).port);
};

import type { World } from '../world.ts';

/** Milliseconds in one direction: Secrets Manager is in the same region, the other services are elsewhere. */
export const oneWay: Readonly<Record<keyof World['origins'], number>> = {
  secretsManager: 1,
  authUrl: 15,
  serviceUrl: 7,
};

export const distancesText = `one way ${oneWay.secretsManager} ms to Secrets Manager, ${oneWay.authUrl} ms to the token endpoint, ${oneWay.serviceUrl} ms to the API`;

import type { World } from '../world.ts';

/** Milliseconds one way: Secrets Manager is in the same region, the others are somebody else's. */
export const oneWay: Readonly<Record<keyof World['origins'], number>> = {
  secretsManager: 1,
  authUrl: 15,
  serviceUrl: 7,
};

export const distancesText = `one way ${oneWay.secretsManager} ms to Secrets Manager, ${oneWay.authUrl} ms to the token endpoint, ${oneWay.serviceUrl} ms to the API`;

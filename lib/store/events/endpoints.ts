import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Endpoint, EndpointSecret } from '../../domain/events/endpoint.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { endpointKey, endpointSecretsKey, createdEndpointsKey, endpointsPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { put, putVersion, remove, removeVersion, type Write } from '../engine/transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** Returns all endpoints, sorted by id. There are at most fifty. Strongly consistent. */
export const readEndpoints = async (session: Session): Promise<Endpoint[]> => {
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': endpointsPartition },
      ConsistentRead: true,
    }),
  );
  return (Items as Packed[]).map(({ value }) => unpack(value) as Endpoint);
};

/** Returns an endpoint, or undefined. */
export const readEndpoint = async (session: Session, endpointId: string): Promise<Endpoint | undefined> => {
  const item = await getItem<Packed>(session, endpointKey(endpointId));
  return item && (unpack(item.value) as Endpoint);
};

/** Returns the secrets of an endpoint, newest first, including expired ones. */
export const readEndpointSecrets = async (session: Session, endpointId: string): Promise<readonly EndpointSecret[]> =>
  (await getItem<{ readonly secrets: readonly EndpointSecret[] }>(session, endpointSecretsKey(endpointId)))?.secrets ??
  [];

/** Replaces the previous version of an endpoint, on condition of that version. A new endpoint has version 1. */
export const writeEndpoint = (endpoint: Endpoint): Write =>
  putVersion(
    'endpoint',
    endpointKey(endpoint.id),
    { version: endpoint.version, value: pack(endpoint) },
    endpoint.version - 1,
  );

/** Writes the secrets of an endpoint, together with the endpoint, whose version guards them too. */
export const writeEndpointSecrets = (endpointId: string, secrets: readonly EndpointSecret[]): Write =>
  put('endpointSecrets', endpointSecretsKey(endpointId), { secrets });

/** Returns how many endpoints were ever created. */
export const readCreatedEndpoints = async (session: Session): Promise<number> =>
  (await getItem<{ readonly version: number }>(session, createdEndpointsKey))?.version ?? 0;

/** Counts a created endpoint, on condition that no other was created since. */
export const writeCreatedEndpoints = (before: number): Write =>
  putVersion('endpointsMade', createdEndpointsKey, { version: before + 1 }, before);

/** Deletes an endpoint and its secrets, on condition that it has not changed since the read. */
export const removeEndpoint = ({ id, version }: Endpoint): readonly Write[] => [
  removeVersion('endpoint', endpointKey(id), version),
  remove('endpointSecrets', endpointSecretsKey(id)),
];

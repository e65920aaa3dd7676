import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Endpoint, EndpointSecret } from '../../events/endpoint.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { endpointKey, endpointSecretsKey, createdEndpointsKey, endpointsPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { put, putVersion, remove, removeVersion, type Write } from '../engine/transact.ts';

type Packed = { readonly value: string | Uint8Array };

/** All endpoints read at once: there are fifty at most. Strongly consistent, by their ids. */
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

/** An endpoint, or undefined. */
export const readEndpoint = async (session: Session, endpointId: string): Promise<Endpoint | undefined> => {
  const item = await getItem<Packed>(session, endpointKey(endpointId));
  return item && (unpack(item.value) as Endpoint);
};

/** The secrets of an endpoint, the newest first; those that have expired are among them. */
export const readEndpointSecrets = async (session: Session, endpointId: string): Promise<readonly EndpointSecret[]> =>
  (await getItem<{ readonly secrets: readonly EndpointSecret[] }>(session, endpointSecretsKey(endpointId)))?.secrets ??
  [];

/** An endpoint in place of its version before, on condition of that; a new one has version 1. */
export const writeEndpoint = (endpoint: Endpoint): Write =>
  putVersion(
    'endpoint',
    endpointKey(endpoint.id),
    { version: endpoint.version, value: pack(endpoint) },
    endpoint.version - 1,
  );

/** The secrets of an endpoint, to be written with it: its version guards them too. */
export const writeEndpointSecrets = (endpointId: string, secrets: readonly EndpointSecret[]): Write =>
  put('endpointSecrets', endpointSecretsKey(endpointId), { secrets });

/** How many endpoints were ever made. */
export const readCreatedEndpoints = async (session: Session): Promise<number> =>
  (await getItem<{ readonly version: number }>(session, createdEndpointsKey))?.version ?? 0;

/** Counts one more, on condition that nobody has made one since. */
export const writeCreatedEndpoints = (before: number): Write =>
  putVersion('endpointsMade', createdEndpointsKey, { version: before + 1 }, before);

/** An endpoint and its secrets, gone, on condition that it is as it was read. */
export const removeEndpoint = ({ id, version }: Endpoint): readonly Write[] => [
  removeVersion('endpoint', endpointKey(id), version),
  remove('endpointSecrets', endpointSecretsKey(id)),
];

import { randomBytes } from 'node:crypto';
import type { AdapterBuild } from '../template/adapters/read-adapter.ts';
import { checkOperation } from './check-operation.ts';
import { accessOf, openContainer } from './container.ts';
import type { Description } from './description.ts';
import type { Row } from './findings.ts';
import { offeredOperations } from './offered-operations.ts';
import type { Recording } from './recording.ts';
import { startReplayServer } from './replay-server.ts';

export type ReplayOptions = {
  readonly recordings: ReadonlyMap<string, Recording>;
  /** The description of the service; absent without a check against it. */
  readonly description?: Description | undefined;
};

/** Replays recorded exchanges over HTTP, as the functions of the adapter would meet them. */
export const replayRecordings = async (
  { adapter, offer }: AdapterBuild,
  { recordings, description }: ReplayOptions,
): Promise<readonly Row[]> => {
  const { parameters } = adapter;
  const server = await startReplayServer(accessOf(parameters), randomBytes(24).toString('base64url'));
  try {
    await using container = await openContainer({
      serviceUrl: server.serviceUrl,
      authUrl: server.authUrl,
      parameters,
      clientSecret: JSON.stringify({ clientId: 'conform', clientSecret: randomBytes(24).toString('base64url') }),
    });
    const rows: Row[] = [];
    for (const operation of await offeredOperations(adapter, offer.entries, container.folder))
      rows.push(await checkOperation(operation, recordings.get(operation.name), { server, description }));
    return rows;
  } finally {
    await server.close();
  }
};

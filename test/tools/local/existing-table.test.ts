import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';
import { copyOnline, restoreAs, turnOnStream } from '../../drill/engine-copy.ts';
import { temporaryDirectory } from './support.ts';

const table = 'returns-existing-table';

/** Makes a restored table from that of a stack, in a new data directory. */
const restored = async (prepare: (file: string) => void) => {
  const dataDir = await temporaryDirectory();
  const file = join(dataDir, 'dynamodb.sqlite');
  const stack = await startOwnStack({ modes: ['standalone'] });
  try {
    const { id } = await createReturn(api('standalone', stack.info));
    await copyOnline(stack.engine.file ?? '', file);
    restoreAs(file, stack.info.aws.tables['standalone.Table'] ?? '', table);
    prepare(file);
    return { dataDir, id };
  } finally {
    await stack.close();
  }
};

const adopt = async (dataDir: string, existingTable = table) =>
  startOwnStack({ modes: ['standalone'], existingTable, dataDir });

describe('local stack with an existing table', () => {
  it('serves the returns of the table under the roles of the functions, and makes no table of its own', async () => {
    const { dataDir, id } = await restored((file) => turnOnStream(file, table, new Date()));
    await using stack = disposable(await adopt(dataDir));
    expect(stack.info.aws.tables['standalone.Table']).toBe(table);
    const service = api('standalone', stack.info);
    expect(await service.get(`/returns/${id}`)).toMatchObject({ status: 200, body: { returnId: id } });
    expect((await service.get(`/returns?limit=10`)).body.items).toMatchObject([{ returnId: id }]);
  });

  it('is rejected for a table without a stream, or for no table', async () => {
    const { dataDir } = await restored(() => undefined);
    await expect(adopt(dataDir)).rejects.toThrow(`table ${table} has no stream`);
    await expect(adopt(dataDir, 'returns-nothing')).rejects.toThrow('the parameter ExistingTable names no table');
  });
});

const disposable = <Stack extends { readonly close: () => Promise<void> }>(stack: Stack) => ({
  ...stack,
  [Symbol.asyncDispose]: stack.close,
});

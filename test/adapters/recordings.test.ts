import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecordings, recordingsFolder } from '../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../lib/tools/conform/replay-recordings.ts';
import { readAdapter } from '../../lib/tools/template/adapters/read-adapter.ts';
import { sample } from '../support/samples.ts';

/* The core half of the contract: each adapter with recordings, as its functions meet its service. */

const recorded = globSync('lib/adapters/*/recordings')
  .map((folder) => basename(dirname(folder)))
  .toSorted();

describe.each(sample(recorded, 3, 1))('the adapter %s', (name) => {
  it('conforms to its recordings, which have a failure for each operation', async () => {
    const build = await readAdapter(name);
    if (!build.ok) throw new Error(build.failure);
    const recordings = await readRecordings(recordingsFolder(name));

    const rows = await replayRecordings(build.value, { recordings });

    expect(rows.flatMap(({ differences }) => differences)).toEqual([]);
    expect(rows.map(({ operation }) => operation).toSorted()).toEqual(
      Object.keys(build.value.adapter.operations).toSorted(),
    );
    expect(rows.filter(({ counts }) => counts.failures === 0).map(({ operation }) => operation)).toEqual([]);
    expect([...recordings.keys()].filter((operation) => !(operation in build.value.adapter.operations))).toEqual([]);
  });
});

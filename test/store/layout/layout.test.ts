import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Api } from '../../support/api.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';
import { readAnswers, readRecording, record, restore } from './recording.ts';
import { tellStory } from './story.ts';

const folder = 'test/store/layout/releases';
/** The release to record: `RECORD_LAYOUT=1.0.0-rc.2 npm test -- test/store/layout` writes its file. */
const { RECORD_LAYOUT } = process.env;
const recorded = RECORD_LAYOUT === undefined ? [] : [RECORD_LAYOUT];
const releases = globSync(`${folder}/*.jsonl`).map((file) => basename(file, '.jsonl'));

const startWith = async (secrets: readonly object[]): Promise<OwnStack> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'returns-'));
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  return startOwnStack({ dataDir, modes: ['standalone'] });
};

it.each(recorded)('release %s is recorded', async (release) => {
  const stack = await startWith([]);
  try {
    const service = api('standalone', stack.info);
    const answers = await readAnswers(service, await tellStory(service));
    const file = `${folder}/${release}.jsonl`;
    await record(file, stack, answers);
    expect(readRecording(file).answers).toEqual(answers);
  } finally {
    await stack.close();
  }
});

describe.each(releases)('rows that release %s stored', (release) => {
  const { secrets, rows, answers } = readRecording(`${folder}/${release}.jsonl`);
  let stack: OwnStack;
  let service: Api;
  beforeAll(async () => {
    stack = await startWith(secrets);
    service = api('standalone', stack.info);
    await restore(stack.info, rows);
  });
  afterAll(async () => stack.close());

  it('are read with the same answers', async () => {
    expect(answers.length).toBeGreaterThan(40);
    expect(
      await readAnswers(
        service,
        answers.map(({ path }) => path),
      ),
    ).toEqual(answers);
  });

  it('accept new commands, whose histories are verified', async () => {
    const paths = new Set(answers.flatMap(({ path }) => /^\/returns\/[^/]+$/.exec(path) ?? []));
    for (const path of paths) {
      const note = await service.post(`${path}/notes`, { text: 'A note of a later release' });
      expect([path, note.status]).toEqual([path, 200]);
      expect((await service.get(`${path}/history/verification`)).body).toMatchObject({ valid: true });
    }
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { contractDocument } from '../support/generated/document.ts';
import { explore } from '../support/generated/explore.ts';
import { openSubject } from '../support/generated/subject.ts';
import { sumOf } from '../support/generated/table.ts';
import { openWorld } from '../support/generated/world.ts';
import { runs } from '../support/samples.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';

/** The seed is fixed. `npm run soak` uses others. */
const seed = Number(process.env['SEED'] ?? 1);

const document = contractDocument();
const world = openWorld();

describe.each(modes)('%s responses', (mode) => {
  const tries = runs(2);
  const subject = openSubject(mode, document, world);
  afterAll(async () => subject[Symbol.asyncDispose]());

  it.concurrent.each(document.operations)('matches the document: $method $path', async (operation) => {
    const counts = await explore(subject, operation, { runs: tries, seed: seed + modes.indexOf(mode) });
    expect(sumOf(counts)).toBe(tries);
  });
});

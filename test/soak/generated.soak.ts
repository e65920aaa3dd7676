import { afterAll, describe, expect, it } from 'vitest';
import { contractDocument } from '../support/generated/document.ts';
import { explore } from '../support/generated/explore.ts';
import { openSubject } from '../support/generated/subject.ts';
import { sumOf, tableOf } from '../support/generated/table.ts';
import { openWorld } from '../support/generated/world.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';

/** Requests over all operations and both modes. `npm run fuzz` sends more. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const document = contractDocument();
const world = openWorld();
const runs = Math.ceil(requests / (document.operations.length * modes.length));
const counted: (readonly [name: string, counts: ReadonlyMap<number, number>])[] = [];

afterAll(() => {
  process.stdout.write(`\nSEED=${seed}\n${tableOf(counted)}\n`);
});

describe.each(modes)('generated requests in the %s mode', (mode) => {
  const subject = openSubject(mode, document, world);
  afterAll(async () => subject[Symbol.asyncDispose]());

  it.concurrent.each(document.operations)(`return ${runs} documented answers: $method $path`, async (operation) => {
    const counts = new Map<number, number>();
    counted.push([`${mode} ${operation.id}`, counts]);
    await explore(subject, operation, { runs, seed: seed + modes.indexOf(mode) }, counts);
    expect(sumOf(counts)).toBe(runs);
  });
});

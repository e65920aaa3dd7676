import { describe, expect, it } from 'vitest';
import { reportOf, runDrill } from '../drill/drill.ts';

const runs = Number(process.env['RUNS'] ?? 2);
/** A new seed in each run. */
const firstSeed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

describe('restored table', () => {
  it.each(Array.from({ length: runs }, (_, index) => firstSeed + index))(
    'has every chain, counter and event after a copy under load, SEED=%i',
    async (seed) => {
      const report = await runDrill(seed, { before: 400, after: 100 });
      process.stderr.write(`${reportOf(report)}\n`);
      expect(report.differences).toEqual([]);
      expect(report.differences).toEqual([]);
    },
  );
});

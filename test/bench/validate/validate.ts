import { bodyWith, costOf, fillings, largeArrays } from '../../support/large-arrays.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';

/** Measures the check of a body with one long array, compared with parsing it. */
export const validate: Bench = {
  summary: 'the check of a body that one long array fills',
  packages: ['ajv'],
  defaults: { rounds: 5, warmUp: 0, invocations: 1, seed: 1 },
  unbuilt: true,
  describe: ({ rounds }) =>
    `each array of each operation, in a body just under the limit: the least time of ${rounds} checks, in times of the least of ${rounds} parsings by JSON.parse; the worst three`,
  run: async ({ settings: { rounds }, report }) => {
    report(`checking ${largeArrays.length} arrays`);
    const costs: { readonly row: readonly string[]; readonly cost: number }[] = [];
    for (const { operation, at, position } of largeArrays)
      for (const [items, item] of Object.entries(fillings))
        costs.push({ row: [operation, at, items], cost: await costOf(operation, bodyWith(position, item), rounds) });
    const worst = costs.toSorted((one, other) => other.cost - one.cost).slice(0, 3);
    return [
      {
        title: `the worst of ${costs.length} bodies`,
        table: [
          ['operation', 'array', 'items', 'x parsing'],
          ...worst.map(({ row, cost }) => [...row, cost.toFixed(2)]),
        ],
        remarks: [compareWithTarget({ what: 'times of parsing', maximum: 5 }, worst[0]?.cost ?? Number.NaN)],
      },
    ];
  },
};

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Ratios of ours to a baseline, by what they measure. */
export type Ratios = Readonly<Record<string, number>>;

/** Ratios, and the conditions of their measurement. */
export type Stored = { readonly conditions: string; readonly ratios: Ratios };

/** How much higher than the stored one a ratio may be. */
const tolerance = 0.1;

/** Returns whether a ratio is too high. One without a stored ratio is not; NaN is. */
export const isHigher = (ratio: number, stored: number | undefined): boolean =>
  stored !== undefined && !(ratio <= stored * (1 + tolerance));

/** How to store ratios. */
export const storing = 'npm run bench -- guard --store';

/** Returns the conditions that change ratios. */
export const conditionsHere = (): string =>
  `Node ${process.versions.node}, ${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;

/**
 * Returns a line for each ratio that is more than a tenth higher than the stored one, and for each ratio that only one
 * of both has: a renamed case must not pass unnoticed.
 */
export const regressions = (measured: Ratios, { ratios }: Stored): readonly string[] => [
  ...Object.entries(measured).flatMap(([what, ratio]) => {
    const before = ratios[what];
    if (before === undefined) return [`${what}: no ratio is stored. Store it by ${storing}.`];
    if (!isHigher(ratio, before)) return [];
    const more = ((ratio / before - 1) * 100).toFixed(0);
    return [
      `${what}: CPU x baseline is ${ratio.toFixed(2)}, stored ${before.toFixed(2)}: ${more} % more, at most 10 %.`,
    ];
  }),
  ...Object.keys(ratios)
    .filter((what) => measured[what] === undefined)
    .map((what) => `${what}: a ratio is stored, but not measured. Remove it by ${storing}.`),
];

const file = new URL('ratios.json', import.meta.url);

/** Reads the stored ratios. */
export const readStored = (): Stored => JSON.parse(readFileSync(file, 'utf8')) as Stored;

/** Stores ratios of this machine, with three digits. */
export const store = (ratios: Ratios): void => {
  const rounded = Object.entries(ratios).map(([what, ratio]): [string, number] => [what, Number(ratio.toFixed(3))]);
  const stored: Stored = { conditions: conditionsHere(), ratios: Object.fromEntries(rounded) };
  writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`);
};

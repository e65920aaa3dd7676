import { describe, expect, it } from 'vitest';
import { bodyWith, costOf, fillings, largeArrays } from '../../support/large-arrays.ts';
import { sample } from '../../support/samples.ts';

const cases = largeArrays.flatMap((array) => Object.keys(fillings).map((filling) => ({ ...array, filling })));

describe('validation of large arrays', () => {
  it.each(sample(cases, 60))('$operation checks $filling in $at within 5 times of parsing them', async (one) => {
    const item = fillings[one.filling] ?? (() => '0');
    expect(await costOf(one.operation, bodyWith(one.position, item), 10)).toBeLessThan(5);
  });
});

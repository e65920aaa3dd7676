import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withBlock } from '../cost/block.ts';
import { capacityTable } from './table.ts';

describe('capacity of the event log', () => {
  it('is on its page as the settings of the code give it', () => {
    const page = readFileSync('test/bench/capacity.md', 'utf8');
    expect(withBlock(page, 'capacity', capacityTable())).toBe(page);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { completeReturn } from '../../lib/adapters/actions.ts';
import { completeList } from '../../lib/adapters/status.ts';
import { getReturn, listReturns } from '../../lib/contract/operations.ts';
import { plant } from '../support/emitted/record.ts';
import { hearLines } from '../support/standard-output.ts';

const rules = { states: { OPEN: 'approved' }, otherwise: 'requested', operations: {} } as const;

plant(['ana.conceicao@example.com']);

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  hearLines((line) => lines.push(line));
});
afterEach(() => vi.restoreAllMocks());

const reported = () => lines.filter((line) => line.includes('state unknown'));

describe('completeReturn', () => {
  it.each(['__proto__', 'constructor', 'toString'])('takes the word %s as unknown', (state) => {
    expect(completeReturn(rules, getReturn, { state })).toEqual({
      status: 'requested',
      externalStatus: state,
      allowedActions: [],
    });
  });

  it('logs and answers an unknown word, and no text that may be personal data', () => {
    completeReturn(rules, getReturn, { state: 'PARTLY DONE' });
    expect(completeReturn(rules, getReturn, { state: 'ana.conceicao@example.com' })).toEqual({
      status: 'requested',
      allowedActions: [],
    });
    expect(reported()).toHaveLength(2);
    expect(reported()[0]).toContain('PARTLY DONE');
    expect(lines.join('')).not.toContain('conceicao');
  });
});

describe('completeList', () => {
  it('writes few lines for a page with many unknown words', () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({ state: `S${index % 500}` }));
    completeList(rules, listReturns, { items });
    expect(reported()).toHaveLength(10);
    expect(lines.filter((line) => line.includes('"UnknownState":1000'))).toHaveLength(1);
  });
});

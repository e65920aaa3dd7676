import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Redacted } from '../../../lib/access/secrets/failure-reason.ts';

describe('Redacted', () => {
  it('shows its text only to reveal()', () => {
    const value = new Redacted('marker-4e1d');
    expect(value.reveal()).toBe('marker-4e1d');
    const shown = [
      inspect({ value }, { depth: null, showHidden: true }),
      inspect(value, { customInspect: false, showHidden: true }),
      JSON.stringify({ value }),
      JSON.stringify(Object.assign({}, value)),
      String(value),
      format('%s %o %j', value, value, value),
      Object.values(value).join(''),
    ];
    expect(shown.join(' ')).not.toContain('marker-4e1d');
  });
});

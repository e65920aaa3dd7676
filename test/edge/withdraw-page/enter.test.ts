import { describe, expect, it } from 'vitest';
import { formPage } from '../../../lib/edge/withdraw-page/pages.ts';
import { named } from './markup.ts';

const context = { language: 'de', shop: undefined, frameAncestors: [], mailsReceipts: false } as const;
const entries = { name: 'Ada', contract: '#1001', email: 'ada@example.com', lines: '' };

describe('Enter in a field of the page for withdrawals', () => {
  // A browser takes the first button of a form for Enter. Those of the languages belong to the form, too.
  it.each([
    ['with texts', {}],
    ['with an error', { name: 'missing' }],
  ] as const)('continues with a form %s', (_, errors) => {
    const [first] = named(formPage(context, entries, errors), 'button');
    expect(first?.attributes).toMatchObject({ form: 'declaration', name: 'step', value: 'review' });
  });
});

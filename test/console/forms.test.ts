import { describe, expect, it } from 'vitest';
import allForms from '#contract/console-forms.json' with { type: 'json' };
import hints from '#contract/console-hints.json' with { type: 'json' };
import type { ConsoleForms } from '../../lib/contract/console.ts';
import { bodyOf } from '../../lib/console/forms/body.ts';
import { brazilian } from '../../lib/console/forms/brazilian.ts';
import { fieldErrorsOf } from '../../lib/console/forms/check.ts';
import { commandChanges } from '../../lib/console/forms/command-changes.ts';
import { decimalText, parseDecimal } from '../../lib/console/forms/decimal.ts';
import { foundError } from '../../lib/console/forms/found-error.ts';
import { hintsOf, withHints } from '../../lib/console/forms/hints.ts';
import forPeople from '../../lib/console/texts/hints/en.json' with { type: 'json' };
import portuguese from '../../lib/console/texts/hints/pt.json' with { type: 'json' };
import { apiForms } from '../../lib/tools/build/console-forms.ts';
import { kindOf, lineKeyOf, resolverOf } from '../../lib/console/forms/schema.ts';

const forms: ConsoleForms = allForms;
const { bodies, schemas } = forms;
const resolve = resolverOf({ schemas });
const line = 'rln_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const other = 'rln_01KAJ3V9Z8QW4T6R2M5N7P0XYC';
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const fieldErrors = (operation: string, value: unknown) =>
  fieldErrorsOf(resolve, bodies[operation] ?? {}, value).map(({ path, code }) => `${path} ${code}`);

describe('the fields of forms', () => {
  it('has a kind for every field of every body', () => {
    const kinds = new Set<string>();
    for (const body of Object.values(bodies))
      for (const [name, schema] of Object.entries(resolve(body).properties ?? {}))
        kinds.add(kindOf(name, resolve(schema)));
    expect([...kinds]).toEqual(expect.arrayContaining(['money', 'object', 'list', 'choice', 'time', 'text', 'long']));
  });

  it('finds lists of units of lines', () => {
    const { properties = {} } = resolve(bodies['inspect'] ?? {});
    expect(lineKeyOf(resolve, resolve(properties['lines'] ?? {}))).toBe('lineId');
    expect(lineKeyOf(resolve, resolve(properties['unexpected'] ?? {}))).toBeUndefined();
  });
});

describe('the schemas of forms', () => {
  it('leave out the fields that no person enters, and the bodies without a form', () => {
    const fields = [...Object.values(bodies), ...Object.values(schemas)].flatMap(({ properties = {} }) =>
      Object.keys(properties),
    );
    expect(fields).toEqual(expect.arrayContaining(['lines', 'reason']));
    expect(fields.filter((name) => ['observed', 'quoteHash', 'sha256'].includes(name))).toEqual([]);
  });

  it('have a hint where a form shows one only: at a field, and neither at a body nor in the entries of a list', () => {
    const approval = resolve(bodies['approve'] ?? {});
    expect(approval.description).toBeUndefined();
    expect(approval.properties?.['lines']?.description).toMatch(/^Enter fewer units to approve/);
    const entries = resolve(approval.properties?.['lines']?.items ?? {}).properties ?? {};
    expect(Object.keys(entries)).toContain('quantity');
    expect(Object.values(entries).filter(({ description }) => description !== undefined)).toEqual([]);
  });
});

describe('hints for people', () => {
  it('replace each text of the API, and no other text', () => {
    expect(new Set(Object.keys(forPeople))).toEqual(new Set(hintsOf(apiForms())));
  });

  it('name no code of the API', () => {
    expect(hintsOf(forms).filter((hint) => /[`_]|\b\w+[A-Z]/.test(hint))).toEqual([]);
  });
});

describe('Portuguese hints', () => {
  const portugueseHints: Readonly<Record<string, string>> = portuguese;
  const english = hintsOf(forms);

  it('are a translation of each hint, and of no other text', () => {
    expect(new Set(Object.keys(portugueseHints))).toEqual(new Set(english));
  });

  it('have the order of the forms', () => {
    expect(hints).toEqual(english.map((hint) => portugueseHints[hint]));
    expect(hintsOf(withHints(forms, hints))).toEqual([...new Set(hints)]);
  });

  it('have no words of Portugal in Brazil', () => {
    const texts = hints.map(brazilian).join('\n');
    expect(
      texts.match(/\b(?:encomenda|volume|ficheiro|artigos?|facto|equipa|registo|omissão|portes|aceites)\b/gi),
    ).toBeNull();
  });
});

describe('amounts', () => {
  it.each([
    ['12.34', 2, 1234],
    ['12,3', 2, 1230],
    ['12', 0, 12],
    ['1.2', 0, undefined],
    ['1,234.00', 2, undefined],
    ['12.345', 2, undefined],
    ['', 2, undefined],
  ])('reads "%s" with %i digits', (text, digits, units) => {
    expect(parseDecimal(text, digits)).toBe(units);
  });

  it('writes what it reads', () => {
    expect(parseDecimal(decimalText(1999, 2), 2)).toBe(1999);
  });
});

describe('the check of entries', () => {
  it('names the field of each error', () => {
    expect(fieldErrors('reject', { note: '' })).toEqual(['/code required', '/note minLength']);
    expect(fieldErrors('reject', { code: 'Not A Code' })).toEqual(['/code pattern']);
    expect(fieldErrors('receive', { lines: [] })).toEqual(['/lines minItems']);
    expect(fieldErrors('recordRecovery', { amount: { amount: '1,2,3', currency: 'EUR' } })).toEqual(['/amount money']);
    expect(fieldErrors('inspect', { lines: [{ lineId: line, quantity: 1.5 }] })).toEqual([
      '/lines/0/outcome required',
      '/lines/0/quantity integer',
    ]);
  });

  it('accepts the null of a merge patch', () => {
    expect(fieldErrors('updateParcel', { carrier: null })).toEqual([]);
  });
});

describe('the body of a form', () => {
  const lines = { lines: { key: 'lineId', keepsZero: false } } as const;

  it('leaves out lines without units, and finds the row of an error', () => {
    const entries = {
      lines: [
        { lineId: line, quantity: 0 },
        { lineId: other, quantity: 2 },
      ],
    };
    const { body, formPath } = bodyOf(entries, lines);
    expect(body).toEqual({ lines: [{ lineId: other, quantity: 2 }] });
    expect(formPath('/lines/0/quantity')).toBe('/lines/1/quantity');
  });

  it('keeps lines of zero where each line must be named', () => {
    const entries = { lines: [{ lineId: line, quantity: 0 }] };
    expect(bodyOf(entries, { lines: { key: 'lineId', keepsZero: true } }).body).toEqual(entries);
  });

  it('sends only the differences of a merge patch', () => {
    const before = { carrier: 'dhl', metadata: { a: '1', b: '2' }, status: 'in_transit' };
    const patch = { of: before, isNullable: (name: string) => name === 'carrier' };
    expect(bodyOf({ metadata: { a: '1', b: '3' } }, {}, patch).body).toEqual({ carrier: null, metadata: { b: '3' } });
  });
});

describe('the changes of a command', () => {
  it('compares lines by their ids, and ignores what responses leave out', () => {
    const before = {
      version: 1,
      status: 'approved',
      customer: { name: 'Maria' },
      lines: [{ lineId: line, quantities: { received: 0 }, reason: { code: 'other', note: 'torn' } }],
      refunds: [],
    };
    const after = {
      version: 2,
      status: 'received',
      lines: [{ lineId: line, quantities: { received: 1 }, reason: { code: 'other' } }],
      refunds: [{ refundId: 'rfd_1', amount: eur(5) }],
    };
    expect(commandChanges(before, after)).toEqual([
      { path: ['status'], before: 'approved', after: 'received' },
      { path: [{ list: 'lines', id: line, place: 1 }, 'quantities', 'received'], before: 0, after: 1 },
      { path: [{ list: 'refunds', id: 'rfd_1', place: 1 }], after: { refundId: 'rfd_1', amount: eur(5) } },
    ]);
  });

  it('shows an amount as a whole, and a removed entry', () => {
    expect(commandChanges({ due: eur(1), fees: [{ type: 'restocking' }] }, { due: eur(2), fees: [] })).toEqual([
      { path: ['due'], before: eur(1), after: eur(2) },
      { path: [{ list: 'fees', id: 'restocking', place: 1 }], before: { type: 'restocking' } },
    ]);
  });
});

describe('errors of the service', () => {
  it.each([
    [
      { path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 3' },
      { code: 'maximum', limit: 3 },
    ],
    [
      { path: '/amount/amount', code: 'maximum', message: 'must be at most 3000' },
      { path: '/amount', code: 'maximum', minor: 3000 },
    ],
    [
      { path: '/amount', code: 'minimum', message: 'must be at least 1' },
      { code: 'minimum', limit: 1 },
    ],
    [{ path: '/code', code: 'required', message: 'is required' }, { code: 'required' }],
    [{ path: '/quantity', code: 'maximum', message: 'must be at most 3 for accepted units' }, {}],
    [{ path: '/reason', code: 'required', message: 'must give the reason why 3 EUR are not paid' }, {}],
  ])('become errors of the form where they are only a limit: %o', (error, expected) => {
    expect(foundError(error)).toEqual({ path: error.path, ...expected });
  });
});

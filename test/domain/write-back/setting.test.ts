import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeSetting,
  modeOf,
  type SettingAuthor,
  type WantedSetting,
  type WriteBackSetting,
} from '../../../lib/domain/write-back/setting.ts';

const at = '2026-11-29T10:00:00.000Z';
const ada: SettingAuthor = { clientId: 'console', user: { id: 'ada' } };
const bob: SettingAuthor = { clientId: 'console', user: { id: 'bob' } };
const euro = (amount: number) => [{ amount, currency: 'EUR' }];

const wanted = (fields: Partial<WantedSetting>): WantedSetting => ({
  actions: {},
  isStopped: false,
  dailyRefunds: [],
  ...fields,
});
const refunds = (amount: number): WantedSetting => wanted({ actions: { refund: 'on' }, dailyRefunds: euro(amount) });

/** Applies changes in order to a shop that was never set. */
const applied = (...changes: readonly (readonly [WantedSetting, SettingAuthor])[]): WriteBackSetting | undefined =>
  changes.reduce<WriteBackSetting | undefined>(
    (setting, [change, by]) => changeSetting(setting, 'shopify', change, by, at),
    undefined,
  );

describe('changeSetting', () => {
  it('switches decisions and goods on at once', () => {
    const setting = applied([wanted({ actions: { approve: 'on', receive: 'shadow', close: 'off' } }), ada]);
    expect(setting).toMatchObject({ version: 1, actions: { approve: 'on', receive: 'shadow' } });
    expect(setting?.actions).not.toHaveProperty('close');
  });

  it('keeps refunds off until a second person asks for the same limits', () => {
    expect(modeOf(applied([refunds(100), ada]), 'refund')).toBe('off');
    expect(applied([refunds(100), ada])?.refundsRequested).toMatchObject({ by: ada, dailyRefunds: euro(100) });
    expect(modeOf(applied([refunds(100), ada], [refunds(100), ada]), 'refund')).toBe('off');
    const both = applied([refunds(100), ada], [refunds(100), bob]);
    expect(both).toMatchObject({ actions: { refund: 'on' }, dailyRefunds: euro(100) });
    expect(both).not.toHaveProperty('refundsRequested');
  });

  it('does not take a second person who asks for another limit', () => {
    const setting = applied([refunds(100), ada], [refunds(200), bob]);
    expect(modeOf(setting, 'refund')).toBe('off');
    expect(setting?.refundsRequested).toMatchObject({ by: bob, dailyRefunds: euro(200) });
  });

  it('keeps the present limit while a higher one waits for a second person', () => {
    const on = [
      [refunds(100), ada],
      [refunds(100), bob],
    ] as const;
    const higher = applied(...on, [refunds(500), ada]);
    expect(higher).toMatchObject({ actions: { refund: 'on' }, dailyRefunds: euro(100) });
    expect(applied(...on, [refunds(500), ada], [refunds(500), bob])?.dailyRefunds).toEqual(euro(500));
  });

  it.each([
    ['a lower limit', refunds(50), 'on'],
    ['refunds off', wanted({}), 'off'],
    ['a stop', { ...refunds(100), isStopped: true }, 'off'],
  ] as const)('takes %s from one person at once', (_, change, mode) => {
    expect(modeOf(applied([refunds(100), ada], [refunds(100), bob], [change, ada]), 'refund')).toBe(mode);
  });

  it('never lets one person alone make a shop pay, or pay more', () => {
    const change = fc.record({
      actions: fc.record({ refund: fc.constantFrom('off', 'shadow', 'on') }),
      isStopped: fc.boolean(),
      dailyRefunds: fc.constantFrom(euro(0), euro(50), euro(100), [...euro(50), { amount: 9, currency: 'USD' }], []),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const setting = applied(...changes.map((one): [WantedSetting, SettingAuthor] => [one, ada]));
        expect(setting?.actions.refund ?? 'off').not.toBe('on');
      }),
    );
  });
});

describe('modeOf', () => {
  it('is off at a shop that was never set, and at a stopped one', () => {
    expect(modeOf(undefined, 'approve')).toBe('off');
    expect(modeOf(applied([wanted({ actions: { approve: 'on' }, isStopped: true }), ada]), 'approve')).toBe('off');
  });
});

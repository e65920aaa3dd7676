import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperationFailure } from '../../lib/adapters/failure.ts';
import { amountOf, instantOf, instantOfSeconds } from '../../lib/adapters/fields.ts';
import { exponent } from '../../lib/domain/money/currency.ts';

const currencies = ['JPY', 'EUR', 'BRL', 'KWD', 'CLF'] as const;

const failed = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof OperationFailure ? error.failure : error;
  }
};

/** An amount in minor units, and its text with a decimal sign. */
const amounts = (sign: '.' | ',') =>
  fc.tuple(fc.constantFrom(...currencies), fc.integer({ min: 0, max: 1_000_000_000_000 })).map(([currency, amount]) => {
    const digits = exponent(currency) ?? 0;
    const text = String(amount).padStart(digits + 1, '0');
    const decimal = digits === 0 ? text : `${text.slice(0, -digits)}${sign}${text.slice(-digits)}`;
    return { currency, amount, decimal };
  });

const misread = (path: string, sign: string) => ({
  code: 'dependency_refused',
  errors: [{ path, message: `must be an amount that is exact in its currency, with ${sign} before its fraction` }],
});

describe('amountOf', () => {
  it('returns the minor units of any amount with a decimal point', () => {
    fc.assert(
      fc.property(amounts('.'), ({ currency, amount, decimal }) => {
        expect(amountOf(decimal, currency, '/valor')).toEqual({ amount, currency });
      }),
    );
  });

  it('returns the minor units of any amount with a decimal comma, with and without dots for thousands', () => {
    fc.assert(
      fc.property(amounts(','), ({ currency, amount, decimal }) => {
        expect(amountOf(decimal, currency, '/valor', ',')).toEqual({ amount, currency });
        const [whole = '', fraction] = decimal.split(',');
        // Without a fraction, a dot could be one.
        const grouped = `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')},${fraction ?? '0'}`;
        expect(amountOf(grouped, currency, '/valor', ',')).toEqual({ amount, currency });
      }),
    );
  });

  it('never takes the other sign as that of a fraction', () => {
    const digits = fc.stringMatching(/^\d{1,9}$/);
    const pairs = fc.constantFrom(['.', ','], [',', '.']);
    fc.assert(
      fc.property(digits, digits, fc.constantFrom(...currencies), pairs, (whole, fraction, currency, [sign, other]) => {
        const read = () => amountOf(`${whole}${other}${fraction}`, currency, '/valor', sign);
        expect(failed(read)).toMatchObject(misread('/valor', sign));
      }),
    );
  });

  it('returns the minor units of a JSON number with as many digits as its currency', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), fc.constantFrom('.', ','), (cents, sign) => {
        expect(amountOf(Number((cents / 100).toFixed(2)), 'EUR', '/value', sign).amount).toBe(cents);
      }),
    );
  });

  it.each([
    ['more digits than the currency has', '19.999', 'EUR'],
    ['a fraction of a currency without one', '19.5', 'JPY'],
    ['a negative amount', '-1.00', 'EUR'],
    ['a decimal comma', '19,99', 'EUR'],
    ['a thousands separator', '1.234,56', 'EUR'],
    ['no digits', '', 'EUR'],
    ['an exponent', '1e3', 'EUR'],
    ['an unknown currency', '1.00', 'XXY'],
    ['an amount above the contract', '10000000000.01', 'EUR'],
  ])('fails for %s, with the path and without the value', (_, decimal, currency) => {
    expect(failed(() => amountOf(decimal, currency, '/itens/0/valor'))).toMatchObject(misread('/itens/0/valor', '.'));
  });

  it.each(['1.000', '19.99', '1.23,45', '1234.567,89', '.123,45', '1.234.567', '1,234,56', '1.234,'])(
    'fails for %j of a service with decimal commas',
    (decimal) => {
      expect(failed(() => amountOf(decimal, 'BRL', '/valor', ','))).toMatchObject(misread('/valor', ','));
    },
  );

  it('accepts zeros beyond the digits of the currency', () => {
    expect(amountOf('1000.000', 'JPY', '/value')).toEqual({ amount: 1000, currency: 'JPY' });
  });
});

/** Returns the clock time in a zone. */
const clockIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(ms)
    .replace(' ', 'T');

const zones = ['America/Sao_Paulo', 'Europe/Lisbon', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'] as const;

describe('instantOf', () => {
  it('returns an instant with the same clock time in the zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 }),
        (zone, seconds) => {
          const clock = clockIn(zone, seconds * 1000);
          const instant = instantOf(clock, zone, '/em');
          expect(clockIn(zone, Date.parse(instant))).toBe(clock);
          // Where the clocks go back, the first of two instants.
          expect(Date.parse(instant)).toBeLessThanOrEqual(seconds * 1000);
        },
      ),
    );
  });

  it.each([
    ['2026-11-20T08:00:00', 'America/Sao_Paulo', '2026-11-20T11:00:00Z'],
    ['2026-11-20 08:00', 'America/Sao_Paulo', '2026-11-20T11:00:00Z'],
    ['2026-11-20T08:00:00.25', 'Europe/Lisbon', '2026-11-20T08:00:00.25Z'],
    ['2026-11-20T08:00:00+01:00', 'America/Sao_Paulo', '2026-11-20T07:00:00Z'],
    // The hour occurs twice in Lisbon.
    ['2026-10-25T01:30:00', 'Europe/Lisbon', '2026-10-25T00:30:00Z'],
    // The hour does not occur in Lisbon.
    ['2026-03-29T01:30:00', 'Europe/Lisbon', '2026-03-29T01:30:00Z'],
  ])('converts %s in %s to %s', (text, zone, instant) => {
    expect(instantOf(text, zone, '/em')).toBe(instant);
  });

  it.each(['', 'yesterday', '2026-02-30T08:00:00', '2026-11-20', '2026-11-20T25:00:00'])(
    'fails for %j, with the path',
    (text) => {
      expect(failed(() => instantOf(text, 'UTC', '/criadaEm'))).toMatchObject({
        code: 'dependency_refused',
        errors: [{ path: '/criadaEm' }],
      });
    },
  );
});

describe('instantOfSeconds', () => {
  it.each([
    [1_795_161_600, '2026-11-20T08:00:00Z'],
    [1_795_161_600.25, '2026-11-20T08:00:00.250Z'],
    [0, '1970-01-01T00:00:00Z'],
    [253_402_300_799, '9999-12-31T23:59:59Z'],
  ])('converts %s to %s', (seconds, instant) => {
    expect(instantOfSeconds(seconds, '/created')).toBe(instant);
  });

  it.each([1_795_161_600_000, -1, Number.NaN, '1795161600' as unknown as number])(
    'fails for %j, with the path',
    (value) => {
      expect(failed(() => instantOfSeconds(value, '/created'))).toMatchObject({
        code: 'dependency_refused',
        errors: [{ path: '/created' }],
      });
    },
  );
});

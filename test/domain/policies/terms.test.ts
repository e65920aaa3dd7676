import { afterEach, describe, expect, it, vi } from 'vitest';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms, policyTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../../lib/domain/policies/terms/parse-terms.ts';
import { termsConfig } from '../../../lib/service/operations/decisions/terms-config.ts';

const defaults = { terms: defaultTerms, statutoryRules };
const parse = (text: string) => parseTerms(defaults, text);

describe('policyTerms', () => {
  it('gives each line the fees of its rule, and the other lines those of the deployment', () => {
    const said = { orderLineId: '1', verdict: 'eligible', codes: [], missing: [], resolutions: [] } as const;
    const evaluation = {
      approval: 'auto',
      fees: { return_shipping: { rule: 'label', amount: 490 }, promotion: { rule: 'ended' } },
      settings: {},
      lines: [
        { ...said, fees: { restocking: { rule: 'opened', bps: 1000, cap: 500 } } },
        said,
        { ...said, fees: { inspection: { rule: 'wear', bps: 3000 }, restocking: { rule: 'used', bps: 2000 } } },
      ],
    } as const;
    const deployment = { ...defaultTerms, fees: { ...defaultTerms.fees, restockingBps: 300 } };
    expect(policyTerms(deployment, evaluation, 'pol_1/1', ['a', 'b', 'c'])).toMatchObject({
      fees: {
        restockingBps: 300,
        returnShipping: 490,
        inspectionCapBps: 10_000,
        promotion: true,
        byLine: {
          a: { restockingBps: 1000, restockingCap: 500 },
          c: { restockingBps: 2000, inspectionCapBps: 3000 },
        },
      },
    });
    expect(policyTerms(deployment, { ...evaluation, lines: [said] }, 'pol_1/1', ['a']).fees).not.toHaveProperty(
      'byLine',
    );
  });
});

describe('parseTerms', () => {
  it('returns the default terms with the named changes', () => {
    expect(parse('{}')).toEqual(defaults);
    const named = { refundTiming: 'approved', fees: { returnShipping: 490 }, refundApprovalLimit: { EUR: 100 } };
    expect(parse(JSON.stringify(named)).terms).toEqual({
      ...defaultTerms,
      refundTiming: 'approved',
      fees: { ...defaultTerms.fees, returnShipping: 490 },
      refundApprovalLimit: { EUR: 100 },
    });
  });

  it.each([
    ['{', 'must be JSON'],
    ['[]', '/ must be an object'],
    ['{"fee":{}}', '/fee is not a known term'],
    ['{"fees/a~b":{}}', '/fees~1a~0b is not a known term'],
    ['{"policyVersion":"1"}', '/policyVersion is not a known term'],
    ['{"__proto__":1}', '/__proto__ is not a known term'],
    ['{"approval":"never"}', '/approval must be one of manual, auto'],
    ['{"fees":3}', '/fees must be an object'],
    ['{"fees":{"restockingBps":10001}}', '/fees/restockingBps must be a whole number from 0 to 10000'],
    ['{"fees":{"restockingCap":-1}}', '/fees/restockingCap must be a whole number'],
    ['{"deadlines":{"shipByDays":1.5}}', '/deadlines/shipByDays must be a whole number'],
    ['{"deadlines":{"refundDueFrom":"approval"}}', '/deadlines/refundDueFrom must be one of request, receipt'],
    ['{"floor":{"law":"EU","fees":["restocking"]}}', '/floor must be null, or have a law'],
    ['{"refundApprovalLimit":{"eur":1}}', '/refundApprovalLimit must map currencies to minor units'],
  ])('throws for %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('names all invalid fields at once', () => {
    const wrong = { refundTimming: 'approved', fees: { restockingBps: '10%', returnShipping: -1 } };
    expect(() => parse(JSON.stringify(wrong))).toThrow(
      /^\/refundTimming is not a known term; .*Did you mean refundTiming\?; \/fees\/restockingBps must .*; \/fees\/returnShipping must /,
    );
  });

  it.each(['{"floor":null}', '{"floor":{"law":"BR CDC 49","fees":[]}}', '{"fees":{"restockingCap":null}}'])(
    'accepts %s',
    (text) => {
      expect(parse(text).terms).toMatchObject(JSON.parse(text) as object);
    },
  );

  it('has no fees of lines: their ids are those of one return', () => {
    expect(() => parse('{"fees":{"byLine":{}}}')).toThrow('/fees/byLine is not a known term');
  });

  describe('terms in the environment', () => {
    afterEach(() => vi.unstubAllEnvs());

    it("stop the cold start with the variable's name when they are invalid", () => {
      vi.stubEnv('RETURN_TERMS', '{"shipping":"free"}');
      expect(() => termsConfig()).toThrow(
        'environment variable RETURN_TERMS: /shipping must be one of none, proportional, full_if_whole_order, statutory',
      );
    });

    it('refer to a file when they exceed 2 KB', () => {
      vi.stubEnv('RETURN_TERMS', JSON.stringify({ fees: {}, padding: 'x'.repeat(2_048) }));
      expect(() => termsConfig()).toThrow(
        /^environment variable RETURN_TERMS: has \d+ bytes, and the maximum is 2048: store the terms in lib\/tools\/deploy\/terms\/<name>\.json/,
      );
    });

    it('are optional', () => {
      vi.stubEnv('RETURN_TERMS', '');
      expect(termsConfig()).toEqual(defaults);
    });
  });
});

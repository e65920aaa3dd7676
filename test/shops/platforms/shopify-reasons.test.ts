import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonCode } from '../../../lib/shops/platforms/shopify/return.ts';

describe('Shopify reasonCode', () => {
  test.each([
    ['UNWANTED', 'preference.changed_mind'],
    ['unwanted', 'preference.changed_mind'],
    ['STYLE', 'preference.style'],
    ['COLOR', 'preference.color'],
    ['SIZE_TOO_SMALL', 'fit.too_small'],
    ['SIZE_TOO_LARGE', 'fit.too_large'],
    ['WRONG_ITEM', 'fulfilment.wrong_item'],
    ['DEFECTIVE', 'condition.damaged_or_defective'],
    ['NOT_AS_DESCRIBED', 'description.not_as_described'],
    ['OTHER', 'other'],
    ['UNKNOWN', 'unknown'],
    ['', 'unknown'],
    ['A_WORD_OF_2027', 'other'],
  ])('maps the enum %s to %s', (word, code) => expect(reasonCode(word, 'enum')).toBe(code));

  test.each([
    ['changed-my-mind', 'preference.changed_mind'],
    ['budget', 'preference.better_price'],
    ['color-too-muted', 'preference.color'],
    ['lens-color', 'preference.color'],
    ['too-narrow', 'fit.too_small'],
    ['sleeves-too-short', 'fit.too_small'],
    ['tight-around-thighs', 'fit.too_small'],
    ['too-wide', 'fit.too_large'],
    ['waist-too-loose', 'fit.too_large'],
    ['loose-around-ankle', 'fit.too_large'],
    ['waist-too-high', 'fit.other'],
    ['heel-too-low', 'fit.other'],
    ['width', 'fit.other'],
    ['ordered-wrong-format', 'order_error.customer_ordered_wrong'],
    ['ordered-multiple', 'order_error.duplicate'],
    ['received-the-wrong-item', 'fulfilment.wrong_item'],
    ['wrong-amount', 'fulfilment.missing_parts'],
    ['arrived-late', 'delivery.late'],
    ['delivery-issue', 'delivery.not_delivered'],
    ['scratched', 'condition.damaged_in_transit'],
    ['packaging-not-sealed', 'condition.packaging_damaged'],
    ['seams-splitting', 'condition.defective'],
    ['damaged-or-defective', 'condition.damaged_or_defective'],
    ['item-not-as-described', 'description.not_as_described'],
    ['damaged-after-washing', 'product.quality'],
    ['doesnt-fit-tv', 'product.incompatible'],
    ['caused-irritation', 'safety.adverse_reaction'],
    ['battery-life', 'product.performance'],
    ['bristles-too-coarse', 'product.performance'],
    ['grit', 'product.performance'],
    ['a-handle-of-2027', 'product.performance'],
  ])('maps the handle %s to %s', (handle, code) => expect(reasonCode(handle, 'handle')).toBe(code));

  test('never throws, and returns codes that the contract accepts', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('enum' as const, 'handle' as const), (word, vocabulary) => {
        expect(reasonCode(word, vocabulary)).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
      }),
    );
    expect(reasonCode('constructor', 'enum')).toBe('other');
    expect(reasonCode('__proto__', 'enum')).toBe('other');
  });
});

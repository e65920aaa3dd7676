import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localeFor } from '../../lib/console/texts/locale.ts';
import { runs } from '../support/samples.ts';

describe('localeFor', () => {
  it.each([
    ['the variant of the browser', 'en', ['de', 'en-GB', 'en-US'], 'en-GB'],
    ['a variant in another case', 'pt-BR', ['pt-br'], 'pt-BR'],
    ['the language of a POSIX locale with a modifier', 'en', ['en-US@posix'], 'en-US'],
    ['the language of a POSIX locale with a charset', 'en', ['en_GB.UTF-8@euro'], 'en-GB'],
    ['the next tag after one that is none', 'en', ['C', '', 'en-', '@', 'en-AU'], 'en-AU'],
    ['the chosen language without a variant', 'pt-PT', ['pt-BR', 'pt', 'fil'], 'pt-PT'],
    ['the chosen language, and no other that begins with the same letters', 'en', ['enm-GB'], 'en'],
  ])('returns %s', (_, chosen, named, locale) => {
    expect(localeFor(chosen, named)).toBe(locale);
  });

  it('returns a tag that Intl accepts, whatever a browser names', () => {
    const tag = fc.string({ unit: fc.constantFrom('e', 'n', 'U', 'S', '-', '_', '@', '.', 'x', '1', ' ', '\n') });
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            tag,
            tag.map((end) => `en-US${end}`),
            fc.string(),
          ),
        ),
        (named) => {
          const locale = localeFor('en', named);
          expect(new Intl.NumberFormat(locale).format(1)).not.toBe('');
          expect(locale).toMatch(/^en(-|$)/);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});

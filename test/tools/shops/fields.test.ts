import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { platformNames } from '../../../lib/runtime/platform-names.ts';
import { entryReaders } from '../../../lib/shops/platforms/entry-readers.ts';
import type { SourceEntry } from '../../../lib/shops/platforms/shared/http/sources.ts';
import { askFields } from '../../../lib/tools/shops/ask-fields.ts';
import { entriesOf, parseGiven } from '../../../lib/tools/shops/given-fields.ts';
import { fieldNamesOf } from '../../../lib/tools/shops/platform-fields.ts';

/** Returns the fields that the reader of a platform reads from one of its secrets. */
const fieldsRead = (platform: string, half: 'webhooks' | 'api'): readonly string[] => {
  const names = new Set<string>();
  const named =
    <Value>(value: Value) =>
    (field: string) => {
      names.add(field);
      return value;
    };
  const entry: SourceEntry = {
    text: named('https://text.example'),
    optionalText: named(undefined),
    texts: named([]),
    optionalTexts: named([]),
    address: named('https://address.example'),
    fieldError: () => new Error('invalid'),
    orderPlatform: () => named(platform)('orderPlatform'),
  };
  // The name has a dot, so that it can be a host. A topic is read only with its ARN.
  const withTopic = { ...entry, optionalText: named('arn:aws:sns:eu-central-1:000000000000:orders') };
  const read = platform === 'commercetools' && half === 'webhooks' ? withTopic : entry;
  entryReaders[platform]?.[half]('shop.example', read);
  return [...names].toSorted();
};

describe('fields of a platform', () => {
  it.each(platformNames)('of %s are those that its readers know', (platform) => {
    for (const half of ['webhooks', 'api'] as const) {
      const known = fieldNamesOf(platform, half).filter((name) => name !== 'hookAddress');
      expect(known.toSorted()).toEqual(fieldsRead(platform, half));
    }
  });

  it('get a new secret only where none is stored', () => {
    const given = { shop: {}, effects: {} };
    const first = entriesOf('woocommerce', 'shop.example', {}, given);
    expect(first).toMatchObject({ api: { apiUrl: 'https://shop.example' }, webhooks: { webhookSecrets: [/./] } });
    expect(entriesOf('woocommerce', 'shop.example', first, given)).toEqual(first);
  });

  it('are rejected with their path, and an unknown name is not quoted', () => {
    const value = { consumerKey: 7, shpat_marked: 'x', effects: { consumerSecret: [] } };
    expect(parseGiven('woocommerce', value, true)).toEqual({
      ok: false,
      failure: [
        '/consumerKey must be a text.',
        expect.stringMatching(/^\/: an unknown field\. Accepted: consumerKey, consumerSecret, .*, effects\.$/),
        '/effects/consumerSecret must be a text.',
      ],
    });
  });
});

describe('prompt for the fields', () => {
  const ask = async (lines: readonly string[], stored: readonly string[] = [], writesBack = false) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const printed = text(output);
    const answers = lines[Symbol.iterator]();
    // An answer follows its question.
    output.on('data', (chunk: Buffer) => {
      const { value } = chunk.toString().endsWith(': ') ? answers.next() : {};
      if (value !== undefined) input.write(value);
    });
    const console = { input, output };
    const given = await askFields(console, 'woocommerce', 'shop.example', { fields: new Set(stored), writesBack });
    output.end();
    return { given, printed: await printed };
  };

  it('prints no hidden answer, and asks again for a needed field', async () => {
    const { given, printed } = await ask(['\r', 'ck_marked\r', 'cs_marked\r', 'https://other.example\r', '\r']);
    expect(given).toEqual({
      ok: true,
      value: {
        shop: { consumerKey: 'ck_marked', consumerSecret: 'cs_marked', apiUrl: 'https://other.example' },
        effects: {},
      },
    });
    expect(printed).not.toContain('marked');
    expect(printed).toContain('apiUrl: the address of the shop (Enter: https://shop.example): ');
    expect(printed).toContain('webhookSecrets: the secret of the webhooks, hidden (Enter: a new one): ');
  });

  it('keeps what is stored, and asks for the token that may write', async () => {
    const names = ['consumerKey', 'consumerSecret', 'apiUrl', 'webhookSecrets'];
    const { given } = await ask(['\r', '\r', '\r', '\r', '\r', 'cs_writes\r'], names, true);
    expect(given).toEqual({ ok: true, value: { shop: {}, effects: { consumerSecret: 'cs_writes' } } });
  });

  it('reads answers that are pasted before their questions', async () => {
    const { given, printed } = await ask(['ck_marked\rcs_marked\r\r\r']);
    expect(given).toMatchObject({ value: { shop: { consumerKey: 'ck_marked', consumerSecret: 'cs_marked' } } });
    expect(printed).not.toContain('marked');
  });

  it('ends at Ctrl-C', async () => {
    const { given } = await ask(['ck_marked\r', '\u0003']);
    expect(given).toEqual({ ok: false, failure: 'Interrupted. Nothing was written.' });
  });
});

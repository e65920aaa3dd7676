import { describe, expect, test } from 'vitest';
import { readApiCredentials as readAdobe } from '../../../lib/shops/platforms/adobe/api.ts';
import { type SourceEntry, parseSource } from '../../../lib/shops/platforms/shared/http/sources.ts';

const read = ({ text, optionalText, texts, optionalTexts, address, orderPlatform }: SourceEntry) => ({
  secrets: texts('webhookSecrets'),
  others: optionalTexts('otherSecrets'),
  token: text('accessToken'),
  region: optionalText('region'),
  apiUrl: address('apiUrl', 'https://shop.example/'),
  orders: orderPlatform(),
});
const parse = (text: string, source = 'a.shop.example') => parseSource('api/acme', text, source, read);
const good = { webhookSecrets: ['s'], accessToken: 't' };
const withEntry = (entry: unknown) => JSON.stringify({ sources: { 'a.shop.example': entry } });

describe('parseSource', () => {
  test.each([
    ['not JSON: hunter2-hunter2', 'the secret api/acme is not a JSON object'],
    ['null', 'the secret api/acme is not a JSON object'],
    ['{"sources":[]}', 'the secret api/acme must hold an object "sources"'],
    [withEntry('hunter2'), 'sources["a.shop.example"] must be an object'],
    [withEntry({ ...good, webhookSecrets: 'hunter2-hunter2' }), '.webhookSecrets must be a list of texts'],
    [withEntry({ ...good, webhookSecrets: ['hunter2', 2] }), '.webhookSecrets must be a list of texts'],
    [withEntry({ ...good, otherSecrets: ['hunter2', 2] }), '.otherSecrets must be a list of texts'],
    [withEntry({ webhookSecrets: ['hunter2-hunter2'] }), '.accessToken must be a text'],
    [withEntry({ ...good, accessToken: '' }), '.accessToken must be a text'],
    [withEntry({ ...good, region: 7 }), '.region must be a text'],
    [withEntry({ ...good, apiUrl: 'http://hunter2.example' }), '.apiUrl must be an http or https address'],
    [withEntry({ ...good, apiUrl: 'hunter2' }), '.apiUrl must be an http or https address'],
    [withEntry({ ...good, orderPlatform: 'Hunter2' }), '.orderPlatform must be the name of a platform'],
  ])('names the error in %s and quotes no content', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).not.toThrow(/hunter2/i);
  });

  test('reads other sources when one is invalid, and finds them by name in any case', () => {
    const text = JSON.stringify({ sources: { 'a.shop.example': 1, 'B.shop.example': good } });
    expect(parse(text, 'b.shop.example')).toEqual({
      secrets: ['s'],
      others: [],
      token: 't',
      region: undefined,
      apiUrl: 'https://shop.example',
      orders: 'acme',
    });
    expect(parse(text, 'c.shop.example')).toBeUndefined();
    expect(parse(text, '__proto__')).toBeUndefined();
  });

  test('separates the orders of two shops', () => {
    const text = JSON.stringify({ sources: { one: good, two: good, three: { ...good, orderPlatform: 'acme-three' } } });
    expect(parse(text, 'one')?.orders).toBe('acme');
    expect(() => parse(text, 'two')).toThrow('sources["two"].orderPlatform must be another');
    expect(parse(text, 'three')?.orders).toBe('acme-three');
  });

  test('rejects the name of an Adobe Commerce as a Cloud Service shop', () => {
    const of = (apiUrl: string) =>
      parseSource('api/adobe', withEntry({ accessToken: 't', apiUrl }), 'a.shop.example', readAdobe);
    expect(() => of('https://na1.api.commerce.adobe.com/tenant')).toThrow(
      'apiUrl must be of a shop on PaaS or on premises: Adobe Commerce as a Cloud Service is not supported',
    );
    expect(of('https://api.commerce.adobe.com.shop.example/')?.apiUrl).toBe(
      'https://api.commerce.adobe.com.shop.example',
    );
  });
});

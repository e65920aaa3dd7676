import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseClientSecret } from '../../../lib/access/oauth/client-secret.ts';
import { marker } from './harness.ts';

const parse = (value: unknown) => parseClientSecret(typeof value === 'string' ? value : JSON.stringify(value));
const whole = {
  clientId: 'id',
  clientSecret: `secret ${marker}`,
  authUrl: 'https://idp.example/tenant',
  certificate: 'cert',
  privateKey: `key ${marker}`,
  ca: 'ca',
};

describe('parseClientSecret', () => {
  it('reads names in camelCase and in snake_case', () => {
    const { clientId, clientSecret, authUrl, certificate, privateKey, ca } = whole;
    const snake = {
      client_id: clientId,
      client_secret: clientSecret,
      auth_url: `${authUrl}//`,
      certificate,
      private_key: privateKey,
      ca,
    };
    expect(parse(whole)).toEqual(whole);
    expect(parse(snake)).toEqual(whole);
  });

  it('accepts an address with the white space of an editor', () => {
    expect(parse({ ...whole, authUrl: ' HTTPS://IDP.example:443/tenant/\n' })).toEqual(whole);
  });

  it('reads secret headers, with names in lower case', () => {
    const headers = { 'X-Gateway-Key': marker, Cookie: 'a=b; c=d' };
    expect(parse({ ...whole, headers })).toEqual({
      ...whole,
      headers: { 'x-gateway-key': marker, cookie: 'a=b; c=d' },
    });
    for (const none of [null, undefined]) expect(parse({ ...whole, headers: none })).toEqual(whole);
  });

  it('skips a byte order mark before the JSON', () => {
    expect(parse(`\ufeff${JSON.stringify(whole)}`)).toEqual(whole);
  });

  it('needs only the id and the secret', () => {
    const nothing = { authUrl: undefined, certificate: undefined, privateKey: undefined, ca: undefined };
    expect(parse({ clientId: 'id', clientSecret: whole.clientSecret, ca: '', authUrl: null })).toEqual({
      clientId: 'id',
      clientSecret: whole.clientSecret,
      ...nothing,
    });
  });

  it.each([
    ['JSON', marker],
    ['JSON', `["${marker}"]`],
    ['JSON', `"${marker}"`],
    ['clientId', { clientSecret: marker }],
    ['clientSecret', `{"clientId":"x","clientSecret":"${marker}\\ud800"}`],
    ['clientId', { ...whole, clientId: '' }],
    ['clientSecret', { clientId: marker }],
    ['clientSecret', { ...whole, clientSecret: 7, note: marker }],
    ['privateKey', { ...whole, privateKey: [marker] }],
    ['headers', { ...whole, headers: [marker] }],
    ['headers', { ...whole, headers: marker }],
    ['headers', { ...whole, headers: { 'X-Key': 7, note: marker } }],
    ['headers', { ...whole, headers: { host: marker } }],
    ['headers', { ...whole, headers: { 'X-Key': `${marker}\r\nx: y` } }],
    ['authUrl', { ...whole, authUrl: marker }],
    ['authUrl', { ...whole, authUrl: `file:///${marker}` }],
    ['authUrl', { ...whole, authUrl: `http://${marker}.example` }],
  ])('names the error and quotes nothing: %s', (field, value) => {
    let error: unknown;
    try {
      parse(value);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ kind: 'SecretUnavailable', reason: `malformed ${field}` });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(marker);
  });
});

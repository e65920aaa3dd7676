import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  personalDataIn,
  personalValuesIn,
  searchRecordings,
  withoutPersonalData,
} from '../../../lib/tools/conform/personal-data.ts';

const answer = {
  returnId: '1001',
  trackingNumber: '3SBOL0000000001',
  transporterName: 'PostNL',
  handled: false,
  customerDetails: { firstName: 'Billie', email: 'billie@verkopen.bol.com', zipCode: null, houseNumber: 12 },
  endereco: { rua: 'Rua Augusta', numero: '1' },
  items: [{ customerComments: 'It does not fit Billie', quantity: 2 }],
  message: 'Write to billie@shop.test or call +31 6 1234 5678',
  session: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
};

describe('withoutPersonalData', () => {
  it('replaces values of persons, and keeps types, empty values and ids', () => {
    expect(withoutPersonalData(answer)).toEqual({
      returnId: '1001',
      trackingNumber: '3SBOL0000000001',
      transporterName: 'PostNL',
      handled: false,
      customerDetails: { firstName: 'Replaced', email: 'person@example.com', zipCode: null, houseNumber: 0 },
      endereco: { rua: 'Replaced', numero: 'Replaced' },
      items: [{ customerComments: 'Replaced', quantity: 2 }],
      message: 'Write to person@example.com or call +10000000000',
      session: 'replaced-token',
    });
  });

  it.each([
    'endereço',
    'observação',
    'Straße',
    'comentárioDoCliente',
    'PLZ',
    'opmerking',
    'apellidos',
    'dirección',
    'prénom',
    'nomDeFamille',
    'città',
    'commento',
  ])('replaces the value of a name in the language of a service: %s', (name) => {
    expect(withoutPersonalData({ [name]: 'Maria' })).toEqual({ [name]: 'Replaced' });
  });

  it('leaves nothing that the search finds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.emailAddress(), (json, email) => {
        const value = { name: json, note: email, word: `to ${email}`, list: [{ phone: json }] };

        const replaced = withoutPersonalData(value);

        expect(personalDataIn(replaced)).toEqual([]);
        expect(JSON.stringify(replaced)).not.toContain(email);
      }),
    );
  });
});

describe('personalDataIn', () => {
  it('names places, and never values', () => {
    expect(personalDataIn(answer)).toEqual([
      '/customerDetails/firstName is a value of a person',
      '/customerDetails/email is a value of a person',
      '/customerDetails/houseNumber is a value of a person',
      '/endereco/rua is a value of a person',
      '/endereco/numero is a value of a person',
      '/items/0/customerComments is a value of a person',
      '/message has an e-mail address',
      '/message has a phone number',
      '/session has a token',
    ]);
  });
});

describe('an e-mail address', () => {
  it.each(['person@example.com.', 'ada@mail.example'])('is of no person in a reserved domain: %s', (text) => {
    expect(personalDataIn({ word: text })).toEqual([]);
  });

  it.each(['ada@example-shop.com', 'ada@example.com.br', 'ada@example.shop'])(
    'is of a person in a domain that looks like a reserved one: %s',
    (text) => {
      expect(personalDataIn({ word: text })).toEqual(['/word has an e-mail address']);
    },
  );
});

describe('searchRecordings', () => {
  it('finds personal data, a secret, and a value of a person that stayed elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    try {
      await writeFile(join(folder, 'a.json'), JSON.stringify({ surname: 'Jansen' }));
      await writeFile(join(folder, 'b.json'), JSON.stringify({ title: 'The lamp of Billie' }));
      await writeFile(join(folder, 'c.txt'), 'client-secret-1');
      const planted = ['client-secret-1', ...personalValuesIn(answer)];

      expect(searchRecordings(folder, planted)).toEqual([
        'a.json: /surname is a value of a person',
        'b.json: has a secret or a value of a person of this run: replace it',
        'c.txt: has a secret or a value of a person of this run: replace it',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

import { describe, expect, it } from 'vitest';
import { cloudEvent } from '../../../lib/domain/events/cloud-event.ts';
import { messageOf } from '../../../lib/domain/events/messages.ts';
import { messageTexts } from '../../../lib/domain/messages/message-texts.ts';
import {
  languageOfCountry,
  returnMessage,
  type ReturnMessageInput,
} from '../../../lib/domain/messages/return-messages.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { languages } from '../../../lib/domain/returns/input-checks.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { type Case, openCase, run } from '../../support/return-case.ts';

const facts = order({
  number: '#1001',
  timeZone: 'Europe/Berlin',
  lines: [
    orderLine({ lineId: '1', quantity: 3, title: 'Shirt\nClick https://example.net' }),
    orderLine({ lineId: '2', quantity: 1, title: 'Hat' }),
  ],
});

const requested = openCase(
  [
    { orderLineId: '1', quantity: 3 },
    { orderLineId: '2', quantity: 1 },
  ],
  { facts, terms: { ...defaultTerms, deadlines: { ...defaultTerms.deadlines, shipByDays: 14 } } },
);

const messageFor = ({ state, order: known, entries }: Case, changes: Partial<ReturnMessageInput> = {}) => {
  const event = entries.find(({ type }) => messageOf(type) !== undefined);
  if (event === undefined) throw new Error('no event has a message');
  const name = messageOf(event.type) as ReturnMessageInput['name'];
  return returnMessage({ name, event, state, order: known, language: 'en', ...changes });
};

const approvedInPart = run(requested, (situation) =>
  approve(situation, {
    lines: [
      { lineId: 'a', quantity: 2 },
      { lineId: 'b', quantity: 0 },
    ],
  }),
);

describe('returnMessage of an approval', () => {
  it('lists what to send back, how, until when, and what is declined', () => {
    const { subject, text } = messageFor(approvedInPart, {
      shop: 'Example Shop',
      returnAddress: 'Example Shop, Main Street 1, 10115 Berlin',
    });
    expect(subject).toBe('Your return 0 is approved');
    expect(text).toBe(`Your return 0 for the order #1001 is approved.

Please send back:
- 2 × Shirt Click https://example.net

1. Write the number 0 on the parcel, or put it into the parcel.
2. Send the parcel to: Example Shop, Main Street 1, 10115 Berlin
3. Send the parcel by 5 December 2026.

We cannot take back:
- 1 × Shirt Click https://example.net
- 1 × Hat

Example Shop
`);
  });

  it('asks for no parcel when all goods stay with the customer', () => {
    const kept = openCase([{ orderLineId: '1', quantity: 1 }], { facts, terms: { ...defaultTerms, returnless: true } });
    const { text } = messageFor(run(kept, (situation) => approve(situation, {})));
    expect(text).toContain('You can keep:\n- 1 × Shirt');
    expect(text).not.toContain('parcel');
  });

  it('names items by SKU and the order by its id once the facts are deleted', () => {
    const { text } = messageFor(approvedInPart, { order: undefined });
    expect(text).toContain(`for the order ${approvedInPart.state.order.number ?? approvedInPart.state.order.orderId}`);
    expect(text).toMatch(/- 2 × \S/);
  });
});

describe('returnMessage of a rejection', () => {
  const rejected = run(requested, (situation) => reject(situation, { code: 'final_sale' }));

  it('indents the words of the shop, without characters that change what is read', () => {
    const note = 'On sale\u202E.\r\nWrite to\u0007 us.';
    expect(messageFor(rejected, { note }).text).toContain('The reason:\n  On sale .\n  Write to  us.\n');
  });

  it('names no reason without words of the shop', () => {
    expect(messageFor(rejected).text).toBe(
      'Your return 0 for the order #1001 is declined.\n\nIf you do not agree, please write to us.\n',
    );
  });
});

describe('returnMessage of a paid refund', () => {
  const paid = (method: 'original_payment' | 'store_credit' | 'manual') => {
    const refund = {
      id: 'rfd_1',
      order: requested.state.order,
      method,
      amount: eur(1234),
      returnLines: [],
      breakdown: { lines: [], deductions: [], shipping: eur(0), other: eur(0) },
      status: 'succeeded' as const,
      attempts: [],
      recordedAt: requested.state.createdAt,
      discrepancies: [],
    };
    return returnMessage({
      name: 'refund_paid',
      event: { data: { refundId: 'rfd_1', providerRef: 're_1' } },
      state: { ...requested.state, refunds: [refund] },
      order: facts,
      language: 'de',
    }).text;
  };

  it('names the amount, the way and the reference', () => {
    expect(paid('original_payment')).toContain(
      'Betrag: 12,34\u00A0€\nDer Betrag geht an das Zahlungsmittel Ihrer Bestellung zurück.\nReferenz der Zahlung: re_1\n',
    );
    expect(paid('store_credit')).not.toContain('Bank');
    expect(paid('manual')).toContain('Betrag: 12,34\u00A0€\nReferenz');
  });
});

describe.each(languages)('messages in %s', (language) => {
  it('have sentences, and a subject of one line with the number of the return alone', () => {
    const { approved, rejected, refund } = messageTexts[language];
    for (const { subject, opening } of [approved, rejected, refund]) {
      expect(subject('7ZK3Q9WX2M4')).toMatch(/^[\p{Lu}].*7ZK3Q9WX2M4[^\n.]*$/u);
      expect(opening('7ZK3Q9WX2M4', '#1001')).toMatch(/^\p{Lu}.*7ZK3Q9WX2M4.*#1001.*\.$/u);
    }
    const sentences = [approved.pack('X'), approved.sendBy('1'), rejected.contact, refund.delay];
    for (const sentence of [...sentences, ...Object.values(refund.method)]) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  });
});

describe('data.messageName of an event', () => {
  it('names the message and holds nothing of it, and is absent without one', () => {
    const origin = { source: 'urn:returns:test', typePrefix: 'com.example' };
    const [created, approved] = approvedInPart.entries.map((entry) => cloudEvent('RETURN#ret_1', entry, origin).data);
    expect(created).not.toHaveProperty('messageName');
    expect(approved).toMatchObject({ messageName: 'return_approved' });
  });
});

describe('languageOfCountry', () => {
  it.each([
    ['BR', 'pt'],
    ['AT', 'de'],
    ['MX', 'es'],
    ['IE', 'en'],
    ['NL', undefined],
    [undefined, undefined],
  ])('returns for %s the language %s', (country, language) => {
    expect(languageOfCountry(country)).toBe(language);
  });
});

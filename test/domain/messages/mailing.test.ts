import { describe, expect, it } from 'vitest';
import { mailableAddress, mailboxOf, mailKindOf, mailsPerMailbox } from '../../../lib/domain/messages/mailing.ts';

describe('mailableAddress', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada.Lovelace+returns@Example.COM ', 'Ada.Lovelace+returns@example.com'],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ['info@müller.example', 'info@xn--mller-kva.example'],
  ])('returns %j as SES accepts it', (email, expected) => {
    expect(mailableAddress(email)).toBe(expected);
  });

  it.each([
    ['another recipient', 'ada@example.com,eve@example.com'],
    ['another recipient in the domain', 'ada@example.com, eve@example.org'],
    ['a header', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a name', 'Ada <ada@example.com>'],
    ['a comment', 'ada(eve)@example.com'],
    ['a quoted part', '"ada@home"@example.com'],
    ['letters outside of ASCII before the @', 'ädä@example.com'],
    ['no domain', 'ada@'],
    ['no local part', '@example.com'],
    ['a domain without a dot', 'ada@localhost'],
    ['an address of a machine', 'ada@[127.0.0.1]'],
    ['an address of a machine as a number', 'ada@2130706433'],
    ['a port', 'ada@example.com:25'],
    ['a path', 'ada@example.com/x'],
    ['two dots', 'ada..l@example.com'],
    ['a long local part', `${'a'.repeat(65)}@example.com`],
    ['a long domain', `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`],
  ])('rejects %s', (_, email) => {
    expect(mailableAddress(email)).toBeUndefined();
  });
});

describe('mailboxOf', () => {
  it('is equal for all spellings of a mailbox', () => {
    const spellings = ['ada@example.com', 'ADA@example.com', 'ada+1@example.com', 'Ada+a+b@example.com'];
    expect(new Set(spellings.map(mailboxOf))).toEqual(new Set(['ada@example.com']));
    expect(mailboxOf('+ada@example.com')).toBe('+ada@example.com');
  });

  it('ignores dots at Gmail, as Gmail does, and nowhere else', () => {
    const spellings = ['adalovelace@gmail.com', 'A.d.a.lovelace@gmail.com', 'ada.lovelace+x.y@googlemail.com'];
    expect(new Set(spellings.map(mailboxOf))).toEqual(new Set(['adalovelace@gmail.com']));
    expect(mailboxOf('ada.lovelace@example.com')).toBe('ada.lovelace@example.com');
    expect(mailboxOf('ada.lovelace@gmail.com.example')).toBe('ada.lovelace@gmail.com.example');
  });
});

describe('mailKindOf', () => {
  it('counts receipts, which go to typed addresses, apart and at most three', () => {
    expect(mailKindOf('withdrawal_receipt')).toBe('receipts');
    expect(['return_approved', 'return_rejected', 'refund_paid'].map((name) => mailKindOf(name as never))).toEqual([
      'returns',
      'returns',
      'returns',
    ]);
    expect(mailsPerMailbox).toEqual({ receipts: 3, returns: 30 });
  });
});

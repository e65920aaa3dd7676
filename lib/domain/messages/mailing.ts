import type { MessageName } from '../events/messages.ts';

/*
 * To whom mails may go, and how many. Anybody can declare a withdrawal with the address of another person. So a receipt
 * has strict limits, and its mails are counted apart: declarations cannot use up the mails about returns.
 */

/** The mails that are counted together in a day. */
export type MailKind = 'receipts' | 'returns';

export const mailKindOf = (name: MessageName): MailKind => (name === 'withdrawal_receipt' ? 'receipts' : 'returns');

/** The mails of a kind that a mailbox may get in a day. A person may have many returns. */
export const mailsPerMailbox: Readonly<Record<MailKind, number>> = { receipts: 3, returns: 30 };

/**
 * The days after an event for which its mail may be sent. What a customer shall do with a return changes soon. A receipt
 * stays as it is.
 */
export const maxMailDays: Readonly<Record<MailKind, number>> = { receipts: 90, returns: 3 };

/**
 * The part before the @: the unquoted form, in ASCII. SES accepts no other. A comma, a space or a bracket could add a
 * recipient or a header.
 */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** RFC 5321, 4.5.3.1. */
const [maxLocal, maxAddress] = [64, 254];

/**
 * Returns an address as SES accepts it, with the domain in punycode.
 *
 * @returns undefined for an address to which no mail can go
 */
export const mailableAddress = (email: string): string | undefined => {
  const address = email.trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(0, at)), address.slice(at + 1)];
  const ascii = /^[^\s/\\?#:@[\]]+$/.test(domain) ? (URL.parse(`http://${domain}`)?.hostname ?? '') : '';
  const mailable = `${local}@${ascii}`;
  const isMailable =
    local.length <= maxLocal && mailable.length <= maxAddress && localPart.test(local) && domainName.test(ascii);
  return isMailable ? mailable : undefined;
};

/**
 * Returns an address in one spelling: without capitals, and without dots at Gmail, which ignores them.
 *
 * @see https://support.google.com/mail/answer/7436150
 */
export const oneSpelling = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^([^@]+)@g(?:oogle)?mail\.com$/, (_, local: string) => `${local.replaceAll('.', '')}@gmail.com`);

/**
 * Returns the mailbox behind an address, for counting: in one spelling, and without the tag after a plus, which most
 * providers deliver to the same mailbox.
 */
export const mailboxOf = (address: string): string => oneSpelling(address).replace(/^([^+@]+)\+[^@]*@/, '$1@');

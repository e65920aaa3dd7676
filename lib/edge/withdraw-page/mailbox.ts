/*
 * The address of a receipt: one mailbox. Mail programs, links and relays read some addresses as more than one, or as
 * fields of a mail. Nearly no mailbox has such a character, so the consumer can correct the address.
 */

/**
 * The characters of an atom (RFC 5322, 3.2.3, and RFC 6531 for other scripts), without those with another meaning. In a
 * `mailto` link, `/`, `?` and `#` begin other parts, and `%` encodes any character. For old relays, `%` and `!` name
 * another host. Dots stand anywhere, as in old addresses of Japanese networks.
 */
const localPart = /^[\p{L}\p{M}\p{Nd}.&'*+\-=^_`{|}~$]+$/u;

/** The characters of a domain. The URL parser would decode or cut off others. */
const domainForm = /^[\p{L}\p{M}\p{Nd}.-]+$/u;

const labelForm = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Returns the labels of a domain in ASCII (IDNA); undefined for a text that is no name of a host. */
const labelsOf = (domain: string): readonly string[] | undefined => {
  const address = `http://${domain}`;
  if (!domainForm.test(domain) || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  const labels = hostname.split('.');
  // The parser writes numbers as an IPv4 address.
  const isName = labels.every((label) => labelForm.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isName && hostname.length <= 253 ? labels : undefined;
};

/**
 * Returns what a text is: one mailbox, a mailbox whose domain has no dot, or neither. A domain without a dot exists in
 * private networks. Mostly, its ending is forgotten.
 */
export const mailboxKind = (text: string): 'complete' | 'dotless' | 'none' => {
  const [local = '', domain, ...more] = text.split('@');
  if (domain === undefined || more.length > 0 || !localPart.test(local)) return 'none';
  const labels = labelsOf(domain);
  if (labels === undefined) return 'none';
  return labels.length > 1 ? 'complete' : 'dotless';
};

import type { Output } from '../../../contract/contract.ts';
import { foldReference } from '../../../contract/fold-reference.ts';
import type { Answer } from '../../api/call.ts';
import { type Found, type FoundOrder, search, searchNumbers, searchPersons } from '../../api/search.ts';
import { orderHref } from '../../app/router.ts';
import { may } from '../../session/session.ts';

/* The orders that a declaration may mean. A person decides: anybody can write the name of another person. */

export type Declaration = NonNullable<Output<'getWithdrawal'>['declaration']>;

/** What an order and a declaration have in common. */
export type Agreement = 'number' | 'email' | 'name';

/** Each number costs a request. */
const maxNumbers = 3;

const numbersIn = (contract: string): readonly string[] =>
  contract
    .split(/[^\p{L}\p{N}._/-]+/u)
    .map((word) => word.replace(/[._/-]+$/u, ''))
    .filter((word) => /\d/u.test(word));

/** Case, accents, punctuation and the order of the parts do not count in a name. */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .toSorted()
    .join(' ');

/** Returns what an order and a declaration have in common. */
export const agreementOf = (
  { number, orderId, customer }: FoundOrder,
  { contract, email, name }: Declaration,
): readonly Agreement[] => {
  const known = foldReference((number ?? orderId).replace(/^#/, ''));
  const agrees: Readonly<Record<Agreement, boolean>> = {
    number: [contract.replace(/^#/, ''), ...numbersIn(contract)].some((written) => foldReference(written) === known),
    email: customer?.email !== undefined && foldReference(customer.email) === foldReference(email),
    name: customer?.name !== undefined && foldName(customer.name) === foldName(name),
  };
  return (['number', 'email', 'name'] as const).filter((field) => agrees[field]);
};

/** Finds orders by a text, or without one by what the declaration says. The first ones have most in common with it. */
export const findCandidates = async (
  declaration: Declaration | undefined,
  text: string,
  signal: AbortSignal,
): Promise<Answer<readonly FoundOrder[]>> => {
  const { contract = '', email = '', name = '' } = declaration ?? {};
  const searches: Promise<Answer<Found>>[] =
    text === ''
      ? [
          ...numbersIn(contract)
            .slice(0, maxNumbers)
            .map(async (number) => searchNumbers(number, { signal })),
          ...(may('returns:search') && declaration !== undefined
            ? [searchPersons('email', email, { signal }), searchPersons('name', name, { signal })]
            : []),
        ]
      : [search(text, { signal })];
  const answers = await Promise.all(searches);
  const [failed] = answers.flatMap((answer) => (answer.ok ? [] : [answer]));
  const found = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  // A search that fails, such as that of a name of many customers, leaves the others.
  if (failed !== undefined && found.length === 0) return failed;
  const orders = new Map(found.flatMap(({ orders: some }) => some).map((order) => [orderHref(order), order]));
  const rank = (order: FoundOrder) => (declaration === undefined ? 0 : agreementOf(order, declaration).length);
  return { ok: true, value: [...orders.values()].toSorted((a, b) => rank(b) - rank(a)) };
};

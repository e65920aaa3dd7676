/** The properties of a token response that decide about it. */
export type Facts = {
  readonly status: number;
  readonly bytes: number;
  readonly compressed: boolean;
  /** The fields of the body (decompressed, without byte order mark), where it holds an object. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** A case in which the two clients differ on purpose. */
export type Difference = {
  readonly name: string;
  readonly why: string;
  readonly applies: (facts: Facts) => boolean;
};

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.parseFloat(String(value)));
const isDigits = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
const isText = (value: unknown): value is string => typeof value === 'string';

export const requestedScopes = ['returns:read', 'returns:write'];

/** Only oauth4webapi accepts these responses. */
export const stricter: readonly Difference[] = [
  {
    name: 'more than 64 KiB',
    why: 'no token endpoint says so much, and such a server must not fill the memory',
    applies: ({ bytes }) => bytes > 64 * 1024,
  },
  {
    name: 'compressed',
    why: 'the request offers no coding (RFC 9110, 12.5.3), and a small answer could unfold to a huge one',
    applies: ({ compressed }) => compressed,
  },
  {
    name: 'an error in a 200',
    why: 'a server that says both means the error; some answer every request with 200',
    applies: ({ fields }) => (fields['error'] ?? undefined) !== undefined,
  },
  {
    name: 'a token of other characters',
    why: 'it could not be sent in a header as it is (RFC 6750, 2.1)',
    applies: ({ fields: { access_token: token } }) => isText(token) && !/^[\w\-.~+/]+=*$/.test(token),
  },
  {
    name: 'a token of more than 16 KiB',
    why: 'no server takes a header of that size',
    applies: ({ fields: { access_token: token } }) => isText(token) && token.length > 16 * 1024,
  },
  {
    name: 'a DPoP token',
    why: 'it needs a proof with each request (RFC 9449), which was not asked for and is not made',
    applies: ({ fields: { token_type: type } }) => isText(type) && type.toLowerCase() === 'dpop',
  },
  {
    name: 'a scope that lacks what was asked for',
    why: 'the reason is known here; the API would only say 403',
    applies: ({ fields: { scope } }) =>
      isText(scope) && !requestedScopes.every((one) => scope.split(' ').includes(one)),
  },
];

/** Only our client accepts these responses. */
export const laxer: readonly Difference[] = [
  {
    name: 'an expires_in below zero',
    why: 'the token was issued: it serves the calls that wait for it, and no later one',
    applies: ({ fields: { expires_in: value } }) => asNumber(value) < 0,
  },
  {
    name: 'an expires_in that is no number',
    why: 'the same',
    applies: ({ fields }) => 'expires_in' in fields && Number.isNaN(asNumber(fields['expires_in'])),
  },
  {
    name: 'an expires_in beyond all numbers',
    why: 'a long time is a day at most, however it is written',
    applies: ({ fields: { expires_in: value } }) => asNumber(value) === Infinity,
  },
  {
    name: 'a scope of null',
    why: 'serialisers that leave nothing out write null for what there is not',
    applies: ({ fields: { scope } }) => scope === null,
  },
  {
    name: 'no token type',
    why: 'several servers leave it out or write null; the only type that can be sent without a proof is Bearer',
    applies: ({ fields: { token_type: type } }) => (type ?? undefined) === undefined,
  },
  {
    name: 'a refresh token that is none',
    why: 'the grant has no use for one (RFC 6749, 4.4.3): it is not looked at',
    applies: ({ fields: { refresh_token: value } }) => value !== undefined && (!isText(value) || value === ''),
  },
  {
    name: 'an ID token that is none',
    why: 'there is no user in this grant: it is not looked at',
    applies: ({ fields }) => fields['id_token'] !== undefined,
  },
];

/** Both clients accept these responses, with different lifetimes. */
export const otherLifetimes: readonly (Difference & { readonly milliseconds: number })[] = [
  {
    name: 'no expires_in',
    why: 'RFC 6749 only recommends it: such a token has the lifetime of the specification; the other leaves it to its caller',
    applies: ({ fields: { expires_in: value } }) => value === undefined,
    milliseconds: 3_600_000,
  },
  {
    name: 'an expires_in that is more than digits',
    why: 'what only begins with a number says something else: the token serves those who wait for it',
    applies: ({ fields: { expires_in: value } }) =>
      value !== undefined && typeof value !== 'number' && !isDigits(value),
    milliseconds: 0,
  },
  {
    name: 'more than a day',
    why: 'a revoked token should not be believed for longer',
    applies: ({ fields: { expires_in: value } }) =>
      (typeof value === 'number' || isDigits(value)) && asNumber(value) > 86_400,
    milliseconds: 86_400_000,
  },
];

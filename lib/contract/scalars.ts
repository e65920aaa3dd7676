import Type from 'typebox';

/** An object that rejects unknown fields, so that no typo stays unnoticed. */
export const closed = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** The keyword under which {@link about} stores a text. The documents show it as `description`. */
export const aboutKeyword = 'x-about';

/**
 * Describes a field: what it means, its unit and its limits. A named schema is written once in the documents, so the text
 * of a field stands next to the reference to it.
 */
export const about = <Schema extends Type.TSchema>(schema: Schema, text: string): Schema =>
  // TypeBox marks kinds and optional fields by properties that a spread loses.
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), [aboutKeyword]: { value: text, enumerable: true } },
  ) as Schema;

/** Non-empty text of at most `maxLength` characters. */
export const text = (maxLength: number, options: Type.TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, ...options });

/**
 * The options of a text that has to match a pattern. `expected` completes the sentence "must be …" with an example: error
 * messages use it in place of the pattern. The build fails for a pattern without it.
 */
export const matching = (pattern: string, expected: string) => ({ pattern, 'x-expected': expected });

/** One of a fixed list of words. */
export const oneOf = <const V extends readonly string[]>(...values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });

/** An id of ours: a prefix that names the resource, and a ULID. */
export const id = (prefix: string) =>
  Type.String({
    ...matching(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`, `an id such as ${prefix}_01KAJ3V9Z8QW4T6R2M5N7P0XYB`),
    examples: [`${prefix}_01KAJ3V9Z8QW4T6R2M5N7P0XYB`],
  });

/** Signed: who holds it may do that one thing until it expires. It is as long as the signer's session token wants it. */
export const SignedUrl = text(8000, matching('^https?://[\\x21-\\x7e]+$', 'a URL such as https://files.example/1'));

/**
 * An instant (RFC 3339, with `T`); no leap seconds, which no clock of ours can tell. A request may have any offset: the
 * validators write it in UTC with `Z`. Answers are in UTC.
 */
export const Instant = Type.String({
  format: 'date-time',
  ...matching(
    '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
    'a time that exists, such as 2026-11-20T08:00:00Z or 2026-11-20T09:00:00+01:00',
  ),
  examples: ['2026-11-21T08:00:00Z'],
});

/** Units of one line. */
export const Quantity = Type.Integer({ minimum: 1, maximum: 100_000 });
export const Count = Type.Integer({ minimum: 0, maximum: 100_000 });

/** An address on the web. */
export const Url = text(2000, {
  ...matching('^https?://[\\x21-\\x7e]+$', 'a URL such as https://carrier.example/track/1'),
  examples: ['https://carrier.example/track/1'],
});

/** An ISO 4217 code. */
export const Currency = Type.String({
  ...matching('^[A-Z]{3}$', 'a currency (ISO 4217) such as EUR'),
  examples: ['EUR'],
});

const maxAmount = 1_000_000_000_000;

/** An object with an amount in integer minor units of its currency: 12.34 EUR is 1234. */
const amountOf = (name: string, description: string, limits: Type.TNumberOptions, amount: number = 1234) =>
  closed(
    {
      amount: about(Type.Integer(limits), 'The amount in minor units of the currency. 12.34 EUR is 1234.'),
      currency: about(Currency, 'The currency of the amount (ISO 4217).'),
    },
    { $id: name, description, examples: [{ amount, currency: 'EUR' }] },
  );

export const Money = amountOf('Money', 'An amount of money, zero or more.', { minimum: 0, maximum: maxAmount });
export type Money = Type.Static<typeof Money>;

export const MoneySum = amountOf('MoneySum', 'The sum of several amounts. It may be above the limit of one amount.', {
  minimum: 0,
});

export const SignedMoney = amountOf(
  'SignedMoney',
  'An amount to add, or to subtract when it is below zero.',
  { minimum: -maxAmount, maximum: maxAmount },
  -500,
);

export const PositiveMoney = amountOf('PositiveMoney', 'An amount of money above zero.', {
  minimum: 1,
  maximum: maxAmount,
});

/** The platform that an order or a reference belongs to. */
export const Platform = Type.String({
  ...matching('^[a-z][a-z0-9_-]{0,39}$', 'a platform such as shopify: 1 to 40 of a-z, 0-9, _ and -'),
  examples: ['shopify'],
});

/** An id given by a platform: opaque to us, kept as text because shops' numbers exceed 2^53. */
export const PlatformId = text(
  200,
  matching('^[\\x21-\\x7e]+$', 'an id in printable ASCII without spaces, such as 1001'),
);

/**
 * A platform's id that stands in paths, where gateways take even an encoded slash for a step, and clients a dot: it has
 * no slash and is neither `.` nor `..`.
 */
export const PathId = text(
  100,
  matching(
    '^(?!\\.{1,2}$)[\\x21-\\x2e\\x30-\\x7e]+$',
    'an id in printable ASCII without spaces and slashes, such as 1001',
  ),
);

/**
 * The id or code of a thing in another system. It stands in events and exports and outlives an erasure, so
 * it is no text: no spaces, no `@` and no letters beyond ASCII.
 */
const reference = matching(
  '^[A-Za-z0-9._:/#+=|~-]*$',
  'a reference such as pi_3Nf9: letters, digits and . _ : / # + = | ~ -, without spaces',
);
export const Reference = text(200, reference);
export const ProviderCode = text(100, reference);

export const Tags = Type.Array(text(100), { maxItems: 50, uniqueItems: true });
const metadata = <Value extends Type.TSchema>(value: Value) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }), value, {
    'x-expected': 'a name such as gift_message: 1 to 100 of A-Z, a-z, 0-9, ., _ and -',
    maxProperties: 50,
    additionalProperties: false,
  });
export const Metadata = metadata(Type.String({ maxLength: 500 }));
/** `null` removes an entry (RFC 7396). */
export const MetadataPatch = metadata(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]));

/** The page of a list to read. */
export const PageQuery = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(text(2000)),
});

export const OrderRef = {
  platform: about(Platform, 'The platform of the order.'),
  orderId: about(PathId, 'The id of the order at its platform.'),
};
export const ExternalRef = closed({
  platform: about(Platform, 'The platform that gave the id.'),
  id: about(PlatformId, 'The id at this platform.'),
});
export const ExternalRefs = Type.Array(ExternalRef, { maxItems: 20, uniqueItems: true });
export const RmaNumber = Type.String({
  ...matching('^[0-9A-HJKMNP-TV-Z]{11}$', 'an RMA number such as 7ZK3Q9WX2M4'),
  examples: ['7ZK3Q9WX2M4'],
});

export const Observation = closed(
  {
    platform: about(Platform, 'The platform that reported the fact.'),
    externalId: about(PlatformId, 'The id of the fact at the platform.'),
    occurredAt: about(Instant, 'When it happened at the platform.'),
  },
  {
    $id: 'Observation',
    description:
      'A fact that the managing platform reported after it happened. The service records it even where a rule forbids it, and adds a discrepancy.',
  },
);
export const observable = {
  observed: Type.Optional(about(Observation, 'Set when a platform reported the command as a fact.')),
};

/** SHA-256 in hexadecimal digits. */
export const Sha256Hex = Type.String(
  matching(
    '^[0-9a-f]{64}$',
    'a SHA-256 hash in 64 lower-case hexadecimal digits, such as e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ),
);

/** An ISO 3166-1 code of two letters. */
export const Country = Type.String(matching('^[A-Z]{2}$', 'a country (ISO 3166-1) such as DE'));

/** A code for machines: why a return or a unit was rejected, cancelled or granted. */
export const ReasonCode = Type.String({
  ...matching('^[a-z_]+$', 'a code of a-z and _, such as final_sale'),
  maxLength: 100,
  examples: ['final_sale'],
});

/** A field of a merge patch: `null` clears it (RFC 7396). */
export const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Marks a personal text, or a person, that was erased. It is absent where there never was one. */
export const erasable = {
  erased: Type.Optional(about(Type.Literal(true), 'Present when the personal text or the person was erased.')),
};

/** The languages of texts for customers. */
export const Language = oneOf('en', 'pt', 'es', 'de', 'fr');

/** The id of a signed-in user, as the claim of the parameter UserClaim has it. */
export const UserId = Type.String({
  ...matching('^[\\x21-\\x7e]{1,200}$', '1 to 200 printable ASCII characters without spaces, such as auth0|7f1c0f2e'),
  examples: ['auth0|7f1c0f2e'],
});

const userId = about(UserId, 'The id of the user at the issuer of the tokens.');

/** The user of an actor, without the name. */
export const ActorUser = closed({ id: userId });

/** Who acted. */
export const Actor = closed({
  clientId: about(PlatformId, 'The client id of the access token.'),
  onBehalfOf: Type.Optional(about(text(401), 'The person or client of the header Returns-On-Behalf-Of.')),
  user: Type.Optional(about(ActorUser, 'The signed-in user, from the access token. Absent for a client.')),
  via: Type.Optional(about(Type.Literal('mcp'), 'Present when an agent made the request, by a tool.')),
});

export const NamedUser = closed({
  id: userId,
  name: Type.Optional(
    about(
      text(200),
      'The name of the user in the token of the call. Absent in responses of commands, and where it was changed since.',
    ),
  ),
  erased: Type.Optional(about(Type.Literal(true), 'Present when the name of the user was erased.')),
});

/** An actor in the history of a return. An erasure replaces `onBehalfOf` by `erased`. */
export const ReturnActor = closed({
  ...Actor.properties,
  user: Type.Optional(about(NamedUser, 'The signed-in user, from the access token. Absent for a client.')),
  ...erasable,
});

import Type from 'typebox';

/** An object that refuses unknown fields, so that a typo never passes silently. */
export const closed = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Non-empty text of at most `maxLength` characters. */
export const text = (maxLength: number, options: Type.TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, ...options });

/** One of a fixed list of words. */
export const oneOf = <const V extends readonly string[]>(...values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });

/** An id of ours: a prefix that names the resource, and a ULID. */
export const id = (prefix: string) =>
  Type.String({
    pattern: `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
    examples: [`${prefix}_01KAJ3V9Z8QW4T6R2M5N7P0XYB`],
  });

/** Signed: who holds it may do that one thing until it expires. It is as long as the signer's session token wants it. */
export const SignedUrl = text(8000, { pattern: '^https?://[\\x21-\\x7e]+$' });

/** An instant in UTC (RFC 3339, with `T` and `Z`); no leap seconds, which no clock of ours can tell. */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d{1,9})?Z$',
  examples: ['2026-11-21T08:00:00Z'],
});

/** Units of one line. */
export const Quantity = Type.Integer({ minimum: 1, maximum: 100_000 });
export const Count = Type.Integer({ minimum: 0, maximum: 100_000 });

/** An address on the web. */
export const Url = text(2000, { pattern: '^https?://[\\x21-\\x7e]+$', examples: ['https://carrier.example/track/1'] });

/** An ISO 4217 code. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] });

/** An amount in integer minor units of its currency (ISO 4217 exponent): 12.34 EUR is 1234. */
export const Money = closed(
  { amount: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), currency: Currency },
  { $id: 'Money', examples: [{ amount: 1234, currency: 'EUR' }] },
);
export type Money = Type.Static<typeof Money>;

/** What several amounts come to. */
export const MoneySum = closed(
  { amount: Type.Integer({ minimum: 0 }), currency: Currency },
  { $id: 'MoneySum', examples: [{ amount: 1234, currency: 'EUR' }] },
);

/** An amount that is added, or taken off when it is below zero. */
export const SignedMoney = closed(
  { amount: Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }), currency: Currency },
  { $id: 'SignedMoney', examples: [{ amount: -500, currency: 'EUR' }] },
);

/** An amount that is worth moving. */
export const PositiveMoney = closed(
  { amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), currency: Currency },
  { $id: 'PositiveMoney', examples: [{ amount: 1234, currency: 'EUR' }] },
);

/** The platform that an order or a reference belongs to. */
export const Platform = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', examples: ['shopify'] });

/** An id given by a platform: opaque to us, kept as text because shops' numbers exceed 2^53. */
export const PlatformId = text(200, { pattern: '^[\\x21-\\x7e]+$' });

/**
 * A platform's id that stands in paths, where gateways take even an encoded slash for a step, and clients a dot: it has
 * no slash and is neither `.` nor `..`.
 */
export const PathId = text(100, { pattern: '^(?!\\.{1,2}$)[\\x21-\\x2e\\x30-\\x7e]+$' });

export const Tags = Type.Array(text(100), { maxItems: 50, uniqueItems: true });
const metadata = <Value extends Type.TSchema>(value: Value) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }), value, {
    maxProperties: 50,
    additionalProperties: false,
  });
export const Metadata = metadata(Type.String({ maxLength: 500 }));
/** `null` removes an entry (RFC 7396). */
export const MetadataPatch = metadata(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]));

/** Which page of a list to read. */
export const PageQuery = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(text(2000)),
});

export const OrderRef = { platform: Platform, orderId: PathId };
export const ExternalRef = closed({ platform: Platform, id: PlatformId });
export const ExternalRefs = Type.Array(ExternalRef, { maxItems: 20, uniqueItems: true });
export const RmaNumber = Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{11}$', examples: ['7ZK3Q9WX2M4'] });

/**
 * A fact: the platform that manages the return has done it already, and tells when. It is recorded even where a rule would
 * refuse it, with a discrepancy.
 */
export const Observation = closed(
  { platform: Platform, externalId: PlatformId, occurredAt: Instant },
  { $id: 'Observation' },
);
export const observable = { observed: Type.Optional(Observation) };

/** Why somebody refused, cancelled or honoured something: a code for machines. */
export const ReasonCode = Type.String({ pattern: '^[a-z_]+$', maxLength: 100, examples: ['final_sale'] });

/** `null` empties a field of a merge patch (RFC 7396). */
export const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Stands where a personal text, or a person, was and is erased. It is absent where there never was any. */
export const erasable = { erased: Type.Optional(Type.Literal(true)) };

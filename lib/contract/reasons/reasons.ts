import Type from 'typebox';
import { LineReasonCode, Resolution } from '../returns/return.ts';
import { closed, oneOf, text } from '../scalars.ts';

/** Language, script, region, variants (RFC 5646), written as it recommends (2.1.1), so that each tag has one form. */
const LanguageTag = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3})){0,3}$',
});

const reason = {
  labels: Type.Record(LanguageTag, text(200), {
    'x-expected': 'a language tag such as pt-BR',
    minProperties: 1,
    maxProperties: 50,
    additionalProperties: false,
  }),
  fault: oneOf('customer', 'merchant', 'carrier', 'none'),
  noteRequired: Type.Boolean(),
  evidenceRequired: Type.Boolean(),
  resolutions: Type.Array(Resolution, { minItems: 1, maxItems: 5, uniqueItems: true }),
  active: Type.Boolean(),
};

/**
 * A reason, whole: its texts by language tag (BCP 47), whose fault it is, whether a line needs a note to ask for and
 * evidence to be approved, which resolutions it may ask for, and whether new returns may give it.
 */
export const ReasonFacts = closed(reason, { $id: 'ReasonFacts' });

/** A reason as it stands. `version` 0: built in, and as it was. */
export const ReasonDefinition = closed(
  { code: LineReasonCode, group: text(100), ...reason, version: Type.Integer({ minimum: 0 }) },
  { $id: 'ReasonDefinition' },
);

/** Which reason: `group.reason`, or a group alone. */
export const ReasonPath = closed({ code: LineReasonCode });

export const ReasonQuery = closed({ active: Type.Optional(Type.Boolean()) });

/** All of them, by code. */
export const ReasonList = closed(
  { items: Type.Array(ReasonDefinition), nextCursor: Type.Null() },
  { $id: 'ReasonList' },
);

import Type from 'typebox';
import { LineReasonCode, Resolution } from '../returns/return-line.ts';
import { about, closed, oneOf, text } from '../scalars.ts';

/** Language, script, region, variants (RFC 5646), written as it recommends (2.1.1), so that each tag has one form. */
const LanguageTag = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3})){0,3}$',
});

const Labels = Type.Record(LanguageTag, text(200), {
  'x-expected': 'a language tag such as pt-BR',
  minProperties: 1,
  maxProperties: 50,
  additionalProperties: false,
});

const reason = {
  labels: about(Labels, 'The texts of the reason for people, by language tag (BCP 47).'),
  fault: about(oneOf('customer', 'merchant', 'carrier', 'none'), 'The party that is responsible for the return.'),
  noteRequired: about(Type.Boolean(), 'Whether the request of a line with this reason needs a note.'),
  evidenceRequired: about(Type.Boolean(), 'Whether the approval of a line with this reason needs evidence.'),
  resolutions: about(
    Type.Array(Resolution, { minItems: 1, maxItems: 5, uniqueItems: true }),
    'The resolutions that a line with this reason may request.',
  ),
  active: about(Type.Boolean(), 'Whether new returns may use the reason.'),
};

export const ReasonFacts = closed(reason, {
  $id: 'ReasonFacts',
  description: 'The content of a reason for returns. It replaces the whole reason.',
});

export const ReasonDefinition = closed(
  {
    code: about(LineReasonCode, 'The code of the reason: `group.reason`, or a group alone.'),
    group: about(text(100), 'The group of the reason: the part of the code before the dot.'),
    ...reason,
    version: about(
      Type.Integer({ minimum: 0 }),
      'The number of changes to the reason. It is the ETag. 0: a canonical reason that was never changed.',
    ),
  },
  { $id: 'ReasonDefinition', description: 'A reason for returns.' },
);

/** The path of a reason: `group.reason`, or a group alone. */
export const ReasonPath = closed({ code: LineReasonCode });

export const ReasonQuery = closed({ active: Type.Optional(Type.Boolean()) });

export const ReasonList = closed(
  {
    items: about(Type.Array(ReasonDefinition), 'All reasons, sorted by code.'),
    nextCursor: about(Type.Null(), 'Always null: one page has all reasons.'),
  },
  { $id: 'ReasonList', description: 'The reasons for returns.' },
);

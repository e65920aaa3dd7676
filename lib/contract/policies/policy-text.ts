import Type from 'typebox';
import { Bps } from '../returns/goods.ts';
import { FeeType } from '../returns/refund.ts';
import { Resolution } from '../returns/return-line.ts';
import { about, closed, Country, Language, Money, oneOf, orNull, text } from '../scalars.ts';
import { day } from '../statistics/statistics.ts';

const { Optional: optional, Array: list } = Type;

const Day = day('\\d{4}');
const Days = Type.Integer({ minimum: 0, maximum: 3650 });
const Anchor = oneOf('delivered', 'last_item_delivered', 'shipped', 'placed');
const Format = oneOf('schema_org', 'google', 'ucp', 'shopify');
const StatementKind = oneOf('window', 'exclusion', 'requirement', 'resolutions', 'fee', 'right', 'examination');

export const PolicyTextQuery = closed({
  country: Country,
  channel: optional(text(100)),
  date: optional(Day),
  language: optional(Language),
  format: optional(Format),
});

const Circumstance = closed(
  {
    fact: about(text(100), 'The name of the fact, as in conditions of policies.'),
    is: optional(about(list(text(500)), 'The fact has one of these values. Absent with `isNot`.')),
    isNot: optional(about(list(text(500)), 'The fact has none of these values. Absent with `is`.')),
  },
  { $id: 'PolicyCircumstance', description: 'A fact that the customer knows.' },
);
const Circumstances = list(list(Circumstance));

const PublishedWindow = closed(
  {
    anchor: about(Anchor, 'The day from which the window counts. That day itself does not count.'),
    days: about(Days, 'The length in days, in the time zone of the order.'),
    roll: optional(
      about(
        oneOf('next_working_day'),
        'Present where a last day that is not a working day moves to the next working day.',
      ),
    ),
    fallback: optional(
      about(
        closed({
          anchor: about(Anchor, 'The day from which the window then counts.'),
          days: about(Days, 'The length in days.'),
        }),
        'The window where the day of `anchor` is unknown. Absent where such a return is examined.',
      ),
    ),
    seasonal: optional(
      about(
        list(
          closed({
            from: about(Day, 'The first day of the orders.'),
            to: about(Day, 'The last day of the orders.'),
            until: about(Day, 'The day until which they can be returned at least.'),
          }),
        ),
        'Orders with a later last day. Absent without one.',
      ),
    ),
  },
  { $id: 'PublishedWindow', description: 'A return window, without days that the shop does not disclose.' },
);

const PublishedFee = closed(
  {
    type: about(FeeType, 'The type of the fee.'),
    none: optional(about(Type.Literal(true), 'Present where this fee is not charged.')),
    bps: optional(about(Bps, 'The fee in basis points of the goods. For `inspection`, the highest deduction.')),
    amount: optional(about(Money, 'The flat fee. Absent for a fee in basis points.')),
    cap: optional(about(Money, 'The highest fee. Absent where there is no limit.')),
    removedBy: optional(about(list(text(200)), 'The laws under which it is not charged. Absent where there is none.')),
  },
  { $id: 'PublishedFee', description: 'A fee that a customer pays, or does not pay.' },
);

const PublishedRight = closed(
  {
    law: about(text(200), 'The name of the law.'),
    source: about(text(1000), 'Where its text is.'),
    claim: about(oneOf('any', 'fault'), '`any`: a right without a reason. `fault`: it rests on a defect.'),
    window: about(
      orNull(
        closed({
          within: about(
            Type.Union([
              closed({ days: about(Type.Integer({ minimum: 0 }), 'Days.') }),
              closed({ years: about(Type.Integer({ minimum: 0 }), 'Years.') }),
            ]),
            'Its length, from the delivery of the last goods of the order.',
          ),
          roll: about(oneOf('none', 'next_working_day'), 'Whether a last day moves to the next working day.'),
        }),
      ),
      'Its period. null where the law sets no number of days.',
    ),
    saleTypes: about(list(oneOf('distance', 'off_premises', 'in_store')), 'The types of sale that it covers.'),
    shipping: about(oneOf('none', 'standard', 'full'), 'The paid shipping to refund with a whole order.'),
    exemptions: about(list(text(100)), 'The codes of the goods that it exempts.'),
  },
  { $id: 'PublishedRight', description: 'A right that the law gives beside the policy.' },
);

const PolicyStatement = closed(
  {
    kind: about(StatementKind, 'What the statement is about.'),
    text: about(Type.String(), 'The statement in plain sentences, in the language of the answer.'),
    when: optional(
      about(
        Circumstances,
        'The circumstances in which it holds: all of one of the alternatives. Absent where it holds for everything outside `except`.',
      ),
    ),
    except: optional(about(Circumstances, 'The circumstances in which it does not hold. Absent where there are none.')),
    window: optional(about(orNull(PublishedWindow), 'With `window`. null: returns have no time limit.')),
    require: optional(about(list(oneOf('note', 'evidence')), 'With `requirement`: what the request must have.')),
    resolutions: optional(about(list(Resolution), 'With `resolutions`: those that the customer may choose.')),
    more: optional(about(Type.Literal(true), 'With `resolutions`: present where others may be possible.')),
    fee: optional(about(PublishedFee, 'With `fee`.')),
    right: optional(about(PublishedRight, 'With `right`.')),
    of: optional(
      about(oneOf('each', 'single'), 'With `examination`: each return is examined, or single returns may be.'),
    ),
  },
  {
    $id: 'PolicyStatement',
    description:
      'A statement that a customer may rely on. No decision is worse. Where no rule on single customers applies, each decision is as stated.',
  },
);

const PolicyOmission = closed(
  {
    kind: about(StatementKind, 'The kind of statement that is missing or incomplete.'),
    text: about(Type.String(), 'The omission in a plain sentence, in the language of the answer.'),
    why: about(
      oneOf('individual', 'threshold', 'not_expressible', 'undisclosed', 'deployment', 'differs', 'no_policy'),
      '`individual`: it depends on single customers. `threshold`: it depends on a number. `not_expressible`: it depends on other facts. `undisclosed`: the shop does not disclose it. `deployment`: the policy has no rule. `differs`: several policies may apply. `no_policy`: an order may have no policy.',
    ),
  },
  { $id: 'PolicyOmission', description: 'Something that the text does not say.' },
);

const PublishedDocument = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'PublishedDocument',
  description: 'A document in a format of others, such as JSON-LD.',
});

const FormattedPolicy = closed(
  {
    document: about(PublishedDocument, 'For goods that no exception and no exclusion covers.'),
    exceptions: about(
      list(
        closed({
          when: about(Circumstances, 'The goods.'),
          document: about(PublishedDocument, 'The document for them.'),
        }),
      ),
      'Documents for other goods.',
    ),
    omitted: about(list(StatementKind), 'The kinds of statements that the format does not say, or not wholly.'),
  },
  { $id: 'FormattedPolicy', description: 'A policy in a format of others.' },
);

export const PolicyText = closed(
  {
    country: about(Country, 'The country of the orders.'),
    channel: optional(about(text(100), 'The channel of the orders. Absent for all channels.')),
    date: about(Day, 'The day on which the orders are placed.'),
    statements: about(list(PolicyStatement), 'What a customer may rely on.'),
    omitted: about(list(PolicyOmission), 'What is not said, and why. It is for the shop.'),
    formats: about(
      closed({
        schema_org: optional(
          about(FormattedPolicy, '`MerchantReturnPolicy` of schema.org as JSON-LD. Absent with another `format`.'),
        ),
        google: optional(
          about(
            FormattedPolicy,
            'Fields of an online return policy of the Merchant API. Absent with another `format`.',
          ),
        ),
        ucp: optional(
          about(FormattedPolicy, 'A return policy of the Universal Commerce Protocol. Absent with another `format`.'),
        ),
        shopify: optional(
          about(FormattedPolicy, 'Return rules of a return policy profile of Shopify. Absent with another `format`.'),
        ),
      }),
      'The statements in formats of others.',
    ),
  },
  { $id: 'PolicyText', description: 'The policy for customers of a country and channel.' },
);

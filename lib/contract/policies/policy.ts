import Type from 'typebox';

/**
 * What a policy says: `rules` (each with `id`, `phase`, `text`, the effect of its phase, and `when` it holds), and where
 * needed `selectors`, `favorable`, `categories`, `conditions`, `lists`, `holidays`, and `goldenCases` that must come out as
 * they say before it is published. `language` is that of `text`; `texts` of a rule has the same in other languages. To the
 * schema it is any object: what makes one a policy is looked at in whole, and told with its place by `policy_invalid`.
 */
export const PolicyDocument = Type.Record(Type.String(), Type.Unknown(), { $id: 'PolicyDocument' });

import type { Resolution } from '../../returns/model/return.ts';
import { type ReadRule, rulesOf, type Said } from './read-rules.ts';
import type { Circumstances, Omission, StatementOf } from './statement.ts';

const all: readonly Resolution[] = ['refund', 'exchange', 'store_credit', 'repair', 'none'];

/** Each statement names the circumstances of all others, so a text is bounded. */
const maxNarrower = 12;

const common = (a: readonly Resolution[], b: readonly Resolution[]): readonly Resolution[] =>
  a.filter((resolution) => b.includes(resolution));

/**
 * States the resolutions that a customer may choose. Each matched rule removes those that it does not allow. So the
 * statement lists the ones that every rule allows, except rules with circumstances of their own.
 */
export const stateResolutions = (rules: readonly ReadRule[]): Said => {
  const omitted: Omission[] = [];
  let offered = all;
  const narrower: { readonly when: Circumstances; readonly allowed: readonly Resolution[] }[] = [];
  for (const { rule, reading } of rulesOf(rules, 'resolution')) {
    if (reading !== 'always' && 'when' in reading && narrower.length < maxNarrower) {
      narrower.push({ when: reading.when, allowed: rule.resolutions });
      continue;
    }
    const allowed = common(offered, rule.resolutions);
    if (reading !== 'always' && allowed.length < offered.length)
      omitted.push({ kind: 'resolutions', why: 'hidden' in reading ? reading.hidden : 'not_expressible' });
    offered = allowed;
  }
  const restricting = narrower.filter(({ allowed }) => common(offered, allowed).length < offered.length);
  const statements = [
    { resolutions: offered, except: restricting.flatMap(({ when }) => when) },
    ...restricting.map(({ when, allowed }, index) => ({
      resolutions: common(offered, allowed),
      when,
      except: restricting.flatMap((other, at) => (at === index ? [] : other.when)),
    })),
  ].map(
    ({ except, ...stated }): StatementOf<'resolutions'> => ({
      kind: 'resolutions',
      ...stated,
      ...(omitted.length === 0 ? {} : { more: true }),
      ...(except.length === 0 ? {} : { except }),
    }),
  );
  // Without a resolution, only a text that hides nothing can say so.
  return {
    statements: statements.filter(({ resolutions, more }) => more === undefined || resolutions.length > 0),
    omitted,
  };
};

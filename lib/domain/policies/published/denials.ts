import { type ReadRule, rulesOf, type Said, type Reading } from './read-rules.ts';
import type { Circumstances, Omission, Statement } from './statement.ts';

/** Returns where the rules of a phase do not decide, because an allow list exempts it. */
type ExceptOf = (phase: string) => Circumstances;

const hiddenReason = (reading: Reading) =>
  typeof reading === 'object' && 'hidden' in reading ? reading.hidden : undefined;

/** Returns one statement where a rule can be said, and an omission where it cannot. */
const stateEach = (rules: readonly ReadRule[], exceptOf: ExceptOf, say: (read: ReadRule) => Statement): Said => {
  const omitted: Omission[] = [];
  const statements = rules.flatMap((read): readonly Statement[] => {
    const { rule, reading } = read;
    const statement = say(read);
    const except = exceptOf(rule.phase);
    const exceptions = except.length === 0 ? {} : { except };
    if (reading === 'always') return [{ ...statement, ...exceptions }];
    if ('when' in reading) return [{ ...statement, when: reading.when, ...exceptions }];
    omitted.push({ kind: statement.kind, why: reading.hidden });
    return [];
  });
  return { statements, omitted };
};

const denies = ({ rule }: ReadRule): boolean => 'deny' in rule || 'block' in rule;

/** States the goods and circumstances that a rule denies, of whatever phase the rule is. */
export const stateExclusions = (rules: readonly ReadRule[], exceptOf: ExceptOf): Said =>
  stateEach(rules.filter(denies), exceptOf, () => ({ kind: 'exclusion' }));

/** States what a request must have. */
export const stateRequirements = (rules: readonly ReadRule[], exceptOf: ExceptOf): Said =>
  stateEach(
    rulesOf(rules, 'requirement').filter(({ rule }) => 'require' in rule),
    exceptOf,
    ({ rule }) => ({ kind: 'requirement', require: 'require' in rule ? rule.require : [] }),
  );

/** What allow lists do to the phases that they exempt. */
type Exemptions = {
  /** Phases of which no rule ever decides. */
  readonly always: ReadonlySet<string>;
  /** Returns where the rules of a phase do not decide. */
  readonly exceptOf: ExceptOf;
  readonly omitted: readonly Omission[];
};

const kindOf = { exclusion: 'exclusion', limit: 'exclusion', requirement: 'requirement', window: 'window' } as const;

/** Reads the allow lists. */
export const exemptionsIn = (rules: readonly ReadRule[]): Exemptions => {
  const found = rulesOf(rules, 'list').flatMap(({ rule, reading }) =>
    'exempts' in rule ? rule.exempts.map((phase) => ({ phase, reading })) : [],
  );
  return {
    always: new Set(found.flatMap(({ phase, reading }) => (reading === 'always' ? [phase] : []))),
    exceptOf: (of) =>
      found.flatMap(({ phase, reading }) =>
        phase === of && reading !== 'always' && 'when' in reading ? reading.when : [],
      ),
    omitted: found.flatMap(({ phase, reading }) => {
      const why = hiddenReason(reading);
      return why === undefined ? [] : [{ kind: kindOf[phase], why }];
    }),
  };
};

/**
 * States whether returns are examined before their approval. Each return is, unless a rule approves it. A rule that
 * cannot be said may always let staff examine a return.
 */
export const stateExamination = (rules: readonly ReadRule[]): Said => {
  const approvals = rulesOf(rules, 'approval');
  const omitted = approvals.flatMap(({ reading }): readonly Omission[] => {
    const why = hiddenReason(reading);
    return why === undefined ? [] : [{ kind: 'examination', why }];
  });
  const isAlways = (approval: 'auto' | 'manual') =>
    approvals.some(({ rule, reading }) => rule.approval === approval && reading === 'always');
  const isNeverAutomatic = approvals.every(({ rule }) => rule.approval !== 'auto') || isAlways('manual');
  if (isNeverAutomatic) return { statements: [{ kind: 'examination', of: 'each' }], omitted };
  const isHidden = rules.some(({ reading }) => hiddenReason(reading) !== undefined);
  const mayBeManual = !isAlways('auto') || approvals.some(({ rule }) => rule.approval === 'manual');
  return { statements: isHidden || mayBeManual ? [{ kind: 'examination', of: 'single' }] : [], omitted };
};

import { domain, type FolderRule, result } from './folder-rule.ts';

const returnsFolder: FolderRule = {
  rule: 'the domain is pure, and only commands know commands',
  imports: [...domain, result],
  packages: ['node:crypto'],
  closed: ['lib/domain/returns/commands'],
};

const aroundEvaluation: FolderRule = {
  rule: 'the domain is pure: what surrounds an evaluation knows policies, money and returns',
  imports: ['lib/domain/policies', ...domain],
  packages: ['node:crypto'],
};

export const evaluation: FolderRule = {
  rule: 'the domain is pure: a folder of policies knows policies, time, countries and returns',
  imports: [
    'lib/domain/policies/*.ts',
    'lib/domain/policies/time',
    'lib/domain/returns',
    'lib/runtime/country.ts',
    'lib/runtime/instant.ts',
  ],
};

const lawReaders: FolderRule = {
  rule: 'the law has its own folder, and these folders know no evaluation',
  imports: [...evaluation.imports, 'lib/domain/policies/law', 'lib/runtime/nearest.ts'],
};

/** The domain: pure code. */
export const domainRules: Readonly<Record<string, FolderRule>> = {
  'lib/domain': { rule: 'the domain is pure: it knows only countries and instants', imports: [] },
  'lib/domain/money': { rule: 'the domain is pure', imports: [] },
  'lib/domain/returns': {
    rule: 'the domain is pure: it knows only money, countries and the result type',
    imports: ['lib/domain/money', 'lib/runtime/country.ts', result],
    packages: ['node:crypto'],
  },
  'lib/domain/returns/model': { rule: 'the types of the domain depend on no rule', imports: ['lib/domain/money'] },
  'lib/domain/returns/goods': returnsFolder,
  'lib/domain/returns/history': returnsFolder,
  'lib/domain/returns/money': returnsFolder,
  'lib/domain/returns/rules': returnsFolder,
  'lib/domain/write-back': {
    rule: 'the domain is pure: intents follow from the history of returns',
    imports: ['lib/domain/returns/history', 'lib/domain/returns/model'],
  },
  'lib/domain/policies': {
    rule: 'the types of policies depend on no folder of policies',
    imports: ['lib/domain/returns'],
    closed: ['lib/domain/policies/*'],
  },
  'lib/domain/policies/check': evaluation,
  'lib/domain/policies/evaluate': evaluation,
  'lib/domain/policies/law': evaluation,
  'lib/domain/policies/time': evaluation,
  'lib/domain/policies/lint': { ...lawReaders, imports: [...lawReaders.imports, 'lib/domain/money/currency.ts'] },
  'lib/domain/policies/terms': lawReaders,
  'lib/domain/policies/backtest': aroundEvaluation,
  'lib/domain/policies/decision': aroundEvaluation,
  'lib/domain/policies/lifecycle': aroundEvaluation,
  'lib/domain/policies/published': aroundEvaluation,
  'lib/domain/policies/templates': aroundEvaluation,
  'lib/domain/texts': {
    rule: 'texts for customers are made from decisions of the domain, and know no store',
    imports: [...domain, 'lib/domain/policies/*.ts', 'lib/domain/policies/time'],
  },
  'lib/domain/texts/policy-text': {
    rule: 'sentences of a published policy are made from its statements',
    imports: [...domain, 'lib/domain/texts', 'lib/domain/policies/*.ts', 'lib/domain/policies/published'],
  },
  'lib/domain/withdrawals': {
    rule: 'the domain of withdrawals is pure: it knows the domain of returns and texts',
    imports: [...domain, 'lib/domain/texts', 'lib/runtime/escape-html.ts'],
    packages: ['node:crypto'],
  },
  'lib/domain/withdrawals/effect': {
    rule: 'the effect of a withdrawal is pure: it knows the law, orders and withdrawals',
    imports: [...domain, 'lib/domain/policies/law', 'lib/domain/withdrawals/history', 'lib/domain/withdrawals/model'],
  },
  'lib/domain/messages': {
    rule: 'messages to customers are pure: they know events, returns, texts and receipts',
    imports: [...domain, 'lib/domain/events', 'lib/domain/texts', 'lib/domain/withdrawals'],
  },
  'lib/domain/events': {
    rule: 'domain events are pure: they know the domain',
    imports: ['lib/domain/returns', 'lib/domain/policies/lifecycle'],
    packages: ['node:crypto', 'ulid'],
  },
};

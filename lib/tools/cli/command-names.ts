import type { Operation } from '../../contract/operation.ts';

/** The commands by the first step of a path. `undefined`: the commands have no group. */
const groups: Readonly<Record<string, string | undefined>> = {
  returns: undefined,
  quotes: undefined,
  imports: undefined,
  exports: undefined,
  erasures: undefined,
  summary: undefined,
  analytics: undefined,
  health: undefined,
  'openapi.json': undefined,
  'asyncapi.json': undefined,
  'webhook-endpoints': 'endpoints',
};

/** Names that do not follow from the name of the operation. */
const names: Readonly<Record<string, string>> = {
  getHistory: 'history',
  getSummary: 'summary',
  getAnalytics: 'analytics',
  getReturnable: 'returnable',
  eraseCustomer: 'erase',
  createExport: 'export',
  quoteReturn: 'quote',
  redeliverWebhooks: 'replay',
  getWriteBack: 'setting',
};

/** Nouns that a group implies, besides the words of its name. */
const impliedNouns: Readonly<Record<string, readonly string[]>> = {
  inbox: ['delivery', 'deliveries'],
  policies: ['policy', 'draft'],
  endpoints: ['webhook'],
  'write-back': ['intent'],
};

/** Returns a field or an operation as the command line writes it: `tracking-number`. */
export const written = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns a word in the singular: `deliveries` is `delivery`, `events` is `event`. */
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** Where the command of an operation is: in a group, or directly below `returns`. */
export type CommandName = { readonly group: string | undefined; readonly name: string };

/**
 * Returns the name of the command of an operation. It is the name of the operation without the nouns of its group:
 * `listPolicies` is `policies list`, and `redriveDeadLetters` is `dead-letters redrive`. A read is `show`.
 */
export const commandName = ({ name, path }: Pick<Operation, 'name' | 'path'>): CommandName => {
  const step = path.split('/')[1] ?? '';
  const group = Object.hasOwn(groups, step) ? groups[step] : step;
  const given = names[name];
  if (given !== undefined) return { group, name: given };
  const noun = group ?? step;
  const implied = new Set([...noun.split('-').map(singular), ...(impliedNouns[noun] ?? [])]);
  const words = written(name).split('-');
  const left = words.filter((word, index) => index === 0 || !(implied.has(word) || implied.has(singular(word))));
  if (left[0] === 'get') left[0] = 'show';
  return { group, name: left.join('-') };
};

import { wordsOfFact } from '../../../console/texts/words-of-fact.ts';
import english from '../../../console/texts/en/fact-words.json' with { type: 'json' };
import { contract } from '../../../contract/contract.ts';
import { isPerLine } from '../../../domain/policies/check/rule.ts';
import { capitalised } from '../../../domain/policies/check/shape.ts';
import { alwaysKnown, type FactKind, isOfConduct, isOfLine } from '../../../domain/policies/fact-catalogue.ts';
import { phases } from '../../../domain/policies/policy.ts';
import type { Schema } from '../typescript.ts';

/** Where the contract lists the values of a fact: the operation, and the fields down to it. */
const valueFields: Readonly<Record<string, readonly [keyof typeof contract, ...string[]]>> = {
  'order.saleType': ['registerOrder', 'saleType'],
  'order.completeness': ['registerOrder', 'completeness'],
  'return.basis': ['createReturn', 'basis'],
  'return.initiatedBy': ['createReturn', 'initiatedBy'],
  'line.resolution': ['createReturn', 'lines', 'resolution'],
  'line.fault': ['putReason', 'fault'],
};

const valuesOf = ({ enum: values, const: value, anyOf = [] }: Schema): readonly string[] =>
  (values ?? (value === undefined ? anyOf.flatMap(valuesOf) : [value])).map(String);

/** Returns all values of a fact; none where the contract lists none. */
export const valuesOfFact = (fact: string): readonly string[] => {
  const [operation, ...fields] = valueFields[fact] ?? [];
  if (operation === undefined) return [];
  const found = fields.reduce<Schema>(
    ({ items, properties }, field) => (items?.properties ?? properties)?.[field] ?? {},
    contract[operation].body as unknown as Schema,
  );
  if (valuesOf(found).length === 0) throw new Error(`the contract lists no values of ${fact}`);
  return valuesOf(found);
};

/** Returns texts as code, in one line. */
export const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** The meaning of facts that the console shows by their names. */
const withoutWords: Readonly<Record<string, string>> = {
  'customer.externalScore': 'score of another service, 0 to 1,000',
  'customer.externalScoreSource': 'name of that service',
};

/** Returns the meaning of a fact, without a full stop. */
export const meaningOf = (name: string): string => {
  const [fact = withoutWords[name] ?? '', days] = wordsOfFact(english.fact, name);
  return days === undefined ? fact : english.inDays.replace('{fact}', fact).replace('{days}', days);
};

/** Whether a number is money. The meaning of other numbers has their unit. */
const isMoney = (name: string, kind: FactKind): boolean => kind === 'number' && /value|price/i.test(name);

const linePhases = code(phases.filter(isPerLine));

/** Returns where a rule may use a fact; undefined where each rule may. */
const placeOf = (name: string): string | undefined => {
  if (isOfConduct(name)) return 'Only rules of phase `approval` with approval `manual` may use it.';
  return isOfLine(name) ? `Only rules of the phases ${linePhases} may use it.` : undefined;
};

/** Returns the description of a fact: meaning, unit, values, where it may be used, and whether it can be unknown. */
export const factDescription = (name: string, kind: FactKind): string => {
  const values = valuesOfFact(name);
  return [
    `${capitalised(meaningOf(name))}.`,
    isMoney(name, kind) ? 'In minor units of the currency of the order.' : undefined,
    values.length === 0 ? undefined : `One of ${code(values)}.`,
    placeOf(name),
    alwaysKnown.has(name) ? 'Every request has it.' : undefined,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
};

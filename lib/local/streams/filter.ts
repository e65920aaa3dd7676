/*
 * The part of Lambda's event filters that our functions use: what a field is, and what it begins with.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */

/** Whether a record passes. */
export type Filter = (record: object) => boolean;

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ruleOf = (rule: unknown, place: string): Test => {
  if (!isObject(rule)) {
    if (Array.isArray(rule)) throw new Error(`${place}: is no rule`);
    return (value) => value === rule;
  }
  const [name, ...others] = Object.keys(rule);
  const prefix = rule['prefix'];
  if (name !== 'prefix' || others.length > 0 || typeof prefix !== 'string')
    throw new Error(`${place}: the local stack knows values and a prefix only`);
  return (value) => typeof value === 'string' && value.startsWith(prefix);
};

const patternOf = (pattern: unknown, place: string): Test => {
  if (Array.isArray(pattern)) {
    const rules = pattern.map((rule, index) => ruleOf(rule, `${place}/${index}`));
    return (value) => rules.some((fits) => fits(value));
  }
  if (!isObject(pattern)) throw new Error(`${place}: must be an object, or a list of rules`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, patternOf(inner, `${place}/${name}`)] as const);
  return (value) => isObject(value) && fields.every(([name, fits]) => fits(value[name]));
};

/**
 * The filter of an event source mapping: what fits one of its patterns passes, and everything where there is none.
 *
 * @param place where it stands in the template, for errors
 * @throws for a pattern that the local stack does not know
 */
export const filterOf = (patterns: readonly string[], place: string): Filter => {
  const tests = patterns.map((text, index) => patternOf(JSON.parse(text), `${place}/Filters/${index}/Pattern`));
  return (record) => tests.length === 0 || tests.some((fits) => fits(record));
};

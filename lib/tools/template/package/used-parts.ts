import { conditionsIn, mapReferences, withUsed } from './references.ts';
import type { StackTemplate } from './nested-stacks.ts';

/** Returns the logical ids and the parameters to which a value of a template refers. */
const referencesIn = (value: unknown): ReadonlySet<string> => {
  const ids = new Set<string>();
  mapReferences(value, (reference) => {
    ids.add(reference.id);
    return reference;
  });
  return ids;
};

/**
 * Returns a template with the conditions and parameters to which its resources and outputs refer. The tables and
 * serverless.yml state those of every deployment, and an adapter may not offer what needs them. A stage file with a
 * parameter that has no effect is an error then.
 */
export const withUsedParts = (template: StackTemplate): StackTemplate => {
  const { Conditions = {}, Parameters = {}, Resources, Outputs = {} } = template;
  const conditions = withUsed(Conditions, conditionsIn([Resources, Outputs]));
  const used = referencesIn([Resources, Outputs, conditions]);
  return {
    ...template,
    Conditions: conditions,
    Parameters: Object.fromEntries(Object.entries(Parameters).filter(([name]) => used.has(name))),
  };
};

import { query } from './router.ts';

/** Returns the parameters of the query that are set, for the input of a list. The API checks their values. */
export const filtersFromQuery = <Name extends string>(names: readonly Name[]): Partial<Record<Name, string>> => {
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query.value.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  return filters;
};

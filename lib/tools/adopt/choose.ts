import type { OfferableName } from '../../adapters/adapter.ts';
import { type Description, readEndpoint, type Route, routesOf } from './description.ts';
import { fieldsOf, listItem, variantsOf, wordsOfSchema } from './fields.ts';
import { wordsOf } from './names.ts';
import { type Place, resolved } from './pointer.ts';
import { commandOf, dispatches, mentionsReturns, type Proposal, propose, returnPath } from './propose.ts';

/** What the description has for our operations. */
export type Choice = {
  /** The best proposal for each operation: these are in the adapter. */
  readonly chosen: readonly Proposal[];
  /** Further proposals, which the adapter does not have: weaker ones, and further calls of the same command. */
  readonly further: readonly Proposal[];
  /** Calls for several commands, with the words that are none of ours. */
  readonly dispatching: readonly { readonly route: Route; readonly otherWords: readonly string[] }[];
  /** Routes about returns without a proposal. */
  readonly unmapped: readonly Route[];
  /** All routes of the description. */
  readonly routes: readonly Route[];
};

const actionField = /^(action|actions|actionname|actiontype|command|operation|transition|event|acao|accion|type|name)$/;
const maxLevels = 4;

/** Returns the words of a body by which one call tells its commands apart. The shallowest field has them. */
const actionWords = (root: unknown, body: Place): readonly string[] => {
  const seen = new Set<string>();
  let level = [body];
  for (let depth = 0; depth < maxLevels && level.length > 0; depth += 1) {
    const schemas = level.flatMap((place) => {
      const item = listItem(root, place) ?? place;
      const variants = variantsOf(root, item);
      return variants.length > 1 ? variants : [item];
    });
    const fields = schemas.flatMap((schema) => [...fieldsOf(root, schema)]);
    const words = fields
      .filter(([name]) => actionField.test(wordsOf(name).join('')))
      .flatMap(([, { schema }]) => wordsOfSchema(root, schema));
    if (words.length > 0) return [...new Set(words)];
    level = fields.map(([, { schema }]) => resolved(root, schema)).filter(({ at }) => !seen.has(at) && seen.add(at));
  }
  return [];
};

const dispatched = (description: Description, route: Route) => {
  const { request } = readEndpoint(description, route);
  const words = request === undefined ? [] : actionWords(description.root, request.schema);
  const known = words.map((word) => ({ word, name: commandOf(wordsOf(word)) }));
  return {
    proposals: known.flatMap(({ word, name }): readonly Proposal[] =>
      name === undefined
        ? []
        : [{ name, route, confidence: 'medium', action: word, note: 'one call for several commands' }],
    ),
    otherWords: known.flatMap(({ word, name }) => (name === undefined ? [word] : [])),
  };
};

const rank = { high: 3, medium: 2, low: 1 } as const;

const resourceOf = ({ route }: Proposal): string => returnPath(route)?.resource ?? '';

/** Returns the path that most proposals have: an API may have returns of shops, of admins and of customers. */
const mainResource = (proposals: readonly Proposal[]): string => {
  const sums = new Map<string, number>();
  for (const proposal of proposals)
    sums.set(resourceOf(proposal), (sums.get(resourceOf(proposal)) ?? 0) + rank[proposal.confidence]);
  const sorted = [...sums]
    .filter(([resource]) => resource !== '')
    .toSorted((a, b) => b[1] - a[1] || a[0].length - b[0].length);
  return sorted[0]?.[0] ?? '';
};

const compare =
  (main: string) =>
  (a: Proposal, b: Proposal): number =>
    rank[b.confidence] - rank[a.confidence] ||
    Number(resourceOf(b) === main) - Number(resourceOf(a) === main) ||
    a.route.path.split('/').length - b.route.path.split('/').length;

/** A proposal of another path than the main one may be about other returns. */
const weighed = (main: string, proposal: Proposal): Proposal =>
  resourceOf(proposal) === main || proposal.name === 'listReasons' || proposal.confidence === 'low'
    ? proposal
    : {
        ...proposal,
        confidence: proposal.confidence === 'high' ? 'medium' : 'low',
        note: proposal.note ?? 'another path than the other proposals',
      };

/** Chooses a route for each operation of ours. */
export const choose = (description: Description): Choice => {
  const routes = routesOf(description);
  const dispatching = routes.filter(dispatches).map((route) => ({ route, ...dispatched(description, route) }));
  const all = [
    ...routes.flatMap((route) => propose(route) ?? []),
    ...dispatching.flatMap(({ proposals }) => proposals),
  ];
  const main = mainResource(all);
  const sorted = all.map((proposal) => weighed(main, proposal)).toSorted(compare(main));
  const chosen = new Map<OfferableName, Proposal>();
  for (const proposal of sorted)
    if (proposal.confidence !== 'low' && !chosen.has(proposal.name)) chosen.set(proposal.name, proposal);
  const used = new Set([...all.map(({ route }) => route), ...dispatching.map(({ route }) => route)]);
  return {
    routes,
    chosen: [...chosen.values()],
    further: sorted.filter((proposal) => chosen.get(proposal.name) !== proposal),
    dispatching,
    unmapped: routes.filter((route) => !used.has(route) && mentionsReturns(route)),
  };
};

import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { ShopFailure } from '../platform.ts';
import type { Shop } from '../shared/http/api.ts';
import { type ApiResponse, callApi, missingScopes, readPages } from './api.ts';
import { type Connection, page } from './queries.ts';

/*
 * The return policy profiles of a shop. Each is for the markets that staff gave it. The default one is for all other
 * buyers. https://shopify.dev/docs/api/admin-graphql/2026-10/objects/ReturnPolicyProfile
 */

/** The return rules that hold for customers of some countries, as the platform has them. */
export type PublishedRules = {
  /** The name that staff gave them; null where they have none. */
  readonly name: string | null;
  /** Whether they hold for each country that no others cover. */
  readonly isDefault: boolean;
  /** The countries that they cover. `*` is each country. */
  readonly countries: ReadonlySet<string>;
  /** The countries of which they cover a part, such as a state. */
  readonly parts: ReadonlySet<string>;
  /** The fields, in the words of the platform. A field that the platform leaves open is absent. */
  readonly document: Readonly<Record<string, string | number | boolean>>;
};

const profilesQuery = `query ReturnRules($after: String) {
  returnPolicyProfiles(first: 20, after: $after) {
    nodes {
      name
      default
      returnRules { canAcceptReturns returnWindowDays returnWindowStartingFrom extendWindowToBusinessDay }
      markets { id type status }
    }
    ${page}
  }
}`;

/** A market has countries, parts of countries, or both. It costs less than 1,000 points, see queries.ts. */
const regionsQuery = `query Regions($id: ID!, $after: String) {
  market(id: $id) {
    conditions {
      regionsCondition {
        applicationLevel
        regions(first: 250, after: $after) {
          nodes { ... on MarketRegionCountry { code } ... on MarketRegionSubdivision { country { code } } }
          ${page}
        }
      }
    }
  }
}`;

type Rules = {
  readonly canAcceptReturns: boolean;
  readonly returnWindowDays: number | null;
  readonly returnWindowStartingFrom: string | null;
  readonly extendWindowToBusinessDay: boolean | null;
};
type Market = { readonly id: string; readonly type: string; readonly status: string };
type Profile = {
  readonly name: string | null;
  readonly default: boolean;
  readonly returnRules: Rules | null;
  readonly markets: readonly Market[];
};
type ProfilesData = { readonly returnPolicyProfiles: Connection<Profile> };

type Region = { readonly code: string } | { readonly country: { readonly code: string } };
type RegionsCondition = { readonly applicationLevel: 'ALL' | 'SPECIFIED' | null; readonly regions: Connection<Region> };
type RegionsData = {
  readonly market: { readonly conditions: { readonly regionsCondition: RegionsCondition | null } | null } | null;
};

/** Profiles need the first scope, and their markets the second. */
const neededScopes = ['read_legal_policies', 'read_markets'];

const withoutScopes = (scopes: readonly string[]): Result<never, ShopFailure> =>
  fail({ kind: 'retryable', reason: `shop_scope_missing:${scopes.join(',')}` });

/** Returns the data of an answer, unless the shop left a field out. */
const whole = <Data>(answer: Result<ApiResponse<Data>, ShopFailure>): Result<Data, ShopFailure> => {
  if (!answer.ok) return answer;
  const { data, denied } = answer.value;
  return denied.length === 0 ? ok(data) : withoutScopes(denied);
};

/** Without rules, customers may return everything at any time. Without a window, its other fields mean nothing. */
const documentOf = (rules: Rules | null): PublishedRules['document'] => {
  if (rules === null) return { canAcceptReturns: true, returnWindowDays: -1 };
  const { canAcceptReturns, returnWindowDays: days, returnWindowStartingFrom: start } = rules;
  if (!canAcceptReturns || days === null) return { canAcceptReturns };
  if (days === -1) return { canAcceptReturns, returnWindowDays: days };
  return {
    canAcceptReturns,
    returnWindowDays: days,
    ...(start !== null && { returnWindowStartingFrom: start }),
    extendWindowToBusinessDay: rules.extendWindowToBusinessDay === true,
  };
};

const fetchProfiles = async (shop: Shop, after: string | null) => {
  const answer = whole(await callApi<ProfilesData>(shop, profilesQuery, { after }));
  return answer.ok ? ok(answer.value.returnPolicyProfiles) : answer;
};

const fetchRegions = async (shop: Shop, id: string, after: string | null) => {
  const answer = whole(await callApi<RegionsData>(shop, regionsQuery, { id, after }));
  return answer.ok ? ok(answer.value.market?.conditions?.regionsCondition ?? undefined) : answer;
};

type Coverage = Pick<PublishedRules, 'countries' | 'parts'>;

/** Reads where the profile of some markets holds. Only active markets of regions name countries. */
const fetchCoverage = async (shop: Shop, markets: readonly Market[]): Promise<Result<Coverage, ShopFailure>> => {
  const countries = new Set<string>();
  const parts = new Set<string>();
  for (const { id } of markets.filter(({ type, status }) => type === 'REGION' && status === 'ACTIVE')) {
    const first = await fetchRegions(shop, id, null);
    if (!first.ok) return first;
    if (first.value === undefined) continue;
    if (first.value.applicationLevel === 'ALL') countries.add('*');
    const all = await readPages(first.value.regions, async (after) => {
      const next = await fetchRegions(shop, id, after);
      return next.ok ? ok(next.value?.regions) : next;
    });
    if (!all.ok) return all;
    for (const region of all.value.nodes)
      if ('code' in region) countries.add(region.code);
      else parts.add(region.country.code);
  }
  return ok({ countries, parts });
};

/** Reads the return policy profiles of a shop, as its buyers have them now. */
export const readReturnRules = async (
  source: string,
  deadline: number,
): Promise<Result<readonly PublishedRules[], ShopFailure>> => {
  const shop = { source, deadline };
  const missing = await missingScopes(shop, neededScopes);
  if (!missing.ok) return missing;
  if (missing.value.length > 0) return withoutScopes(missing.value);
  const first = await fetchProfiles(shop, null);
  if (!first.ok) return first;
  const profiles = await readPages(first.value, async (after) => fetchProfiles(shop, after));
  if (!profiles.ok) return profiles;
  const read: PublishedRules[] = [];
  for (const { name, default: isDefault, returnRules, markets } of profiles.value.nodes) {
    const coverage = await fetchCoverage(shop, isDefault ? [] : markets);
    if (!coverage.ok) return coverage;
    read.push({ name, isDefault, ...coverage.value, document: documentOf(returnRules) });
  }
  return ok(read);
};

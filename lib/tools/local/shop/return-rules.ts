import { connection, type PageArguments } from './order-graph.ts';

/*
 * The return policy profiles of the shop and their markets, from API version 2026-10 on. Staff writes them: the API only
 * reads them. https://shopify.dev/docs/api/admin-graphql/2026-10/objects/ReturnPolicyProfile
 */

export const returnRulesTypes = /* GraphQL */ `
  enum ReturnPoliciesReturnWindowStartingFrom {
    ITEM_DELIVERY_DATE
    LAST_ITEM_DELIVERY_DATE
  }
  type ReturnPoliciesReturnRules {
    canAcceptReturns: Boolean!
    extendWindowToBusinessDay: Boolean
    returnWindowDays: Int
    returnWindowStartingFrom: ReturnPoliciesReturnWindowStartingFrom
  }
  type ReturnPolicyProfile {
    default: Boolean!
    id: ID!
    markets: [Market!]!
    name: String
    returnRules: ReturnPoliciesReturnRules
    updatedAt: DateTime
  }
  type ReturnPolicyProfileConnection {
    nodes: [ReturnPolicyProfile!]!
    pageInfo: PageInfo!
  }
  enum MarketStatus {
    ACTIVE
    DRAFT
  }
  enum MarketType {
    COMPANY_LOCATION
    LOCATION
    NONE
    REGION
  }
  enum MarketConditionApplicationType {
    ALL
    SPECIFIED
  }
  interface MarketRegion {
    id: ID!
    name: String!
  }
  type MarketRegionCountry implements MarketRegion {
    code: CountryCode!
    id: ID!
    name: String!
  }
  type MarketRegionSubdivisionCountry {
    code: CountryCode!
    name: String!
  }
  type MarketRegionSubdivision implements MarketRegion {
    code: String!
    country: MarketRegionSubdivisionCountry!
    id: ID!
    name: String!
  }
  type MarketRegionConnection {
    nodes: [MarketRegion!]!
    pageInfo: PageInfo!
  }
  type RegionsCondition {
    applicationLevel: MarketConditionApplicationType
    regions(first: Int, after: String): MarketRegionConnection!
  }
  type MarketConditions {
    regionsCondition: RegionsCondition
  }
  type Market {
    conditions: MarketConditions
    id: ID!
    name: String!
    status: MarketStatus!
    type: MarketType!
  }
  extend type QueryRoot {
    market(id: ID!): Market
    returnPolicyProfiles(first: Int, after: String): ReturnPolicyProfileConnection!
  }
`;

/** The fields that need a scope of their own. */
export const returnRulesScopes = {
  'QueryRoot.returnPolicyProfiles': 'read_legal_policies',
  'QueryRoot.market': 'read_markets',
  'ReturnPolicyProfile.markets': 'read_markets',
} as const;

/** A market of the shop. A region is a country, such as `PT`, or a part of one, such as `US-NY`; `*` is all of them. */
export type ShopMarket = {
  readonly regions: readonly string[];
  readonly status?: 'ACTIVE' | 'DRAFT';
  readonly type?: 'REGION' | 'COMPANY_LOCATION';
};

export type ShopProfile = {
  /** null for the default profile. */
  readonly name: string | null;
  readonly returnRules: {
    readonly canAcceptReturns: boolean;
    readonly returnWindowDays?: number;
    readonly returnWindowStartingFrom?: string;
    readonly extendWindowToBusinessDay?: boolean;
  } | null;
  readonly markets: readonly ShopMarket[];
};

const regionGraph = (region: string) => {
  const [country = '', part] = region.split('-');
  const common = { id: `gid://shopify/MarketRegion/${region}`, name: region };
  return part === undefined
    ? { __typename: 'MarketRegionCountry', ...common, code: country }
    : { __typename: 'MarketRegionSubdivision', ...common, code: region, country: { code: country, name: country } };
};

const marketGraph = (id: string, { regions, status = 'ACTIVE', type = 'REGION' }: ShopMarket) => ({
  id,
  name: id,
  status,
  type,
  conditions: {
    regionsCondition:
      type === 'REGION'
        ? {
            applicationLevel: regions.includes('*') ? 'ALL' : 'SPECIFIED',
            regions: connection(regions.filter((region) => region !== '*').map(regionGraph)),
          }
        : null,
  },
});

/** The profiles of a new shop: 30 days everywhere. A test may change them. */
export const newProfiles = (): ShopProfile[] => [
  {
    name: null,
    returnRules: { canAcceptReturns: true, returnWindowDays: 30, returnWindowStartingFrom: 'ITEM_DELIVERY_DATE' },
    markets: [],
  },
];

/** The queries for graphql-js. */
export const returnRulesRoot = (profiles: readonly ShopProfile[]) => {
  const graphs = profiles.map(({ name, returnRules, markets }, index) => ({
    default: name === null,
    id: `gid://shopify/ReturnPolicyProfile/${index + 1}`,
    name,
    returnRules,
    markets: markets.map((market, at) => marketGraph(`gid://shopify/Market/${index + 1}${at + 1}`, market)),
  }));
  return {
    returnPolicyProfiles: (page: PageArguments) => connection(graphs)(page),
    market: ({ id }: { id: string }) => graphs.flatMap(({ markets }) => markets).find((market) => market.id === id),
  };
};

import type { Return } from '../../returns/model/return.ts';
import { euExemptions, ukExemptions } from './exemptions.ts';
import type { StatutoryRule } from './statutory-rule.ts';

/** What a return is asked for when something is wrong with the goods. */
export const faultBases: ReadonlySet<NonNullable<Return['basis']>> = new Set([
  'defect',
  'warranty',
  'wrong_item',
  'transit_damage',
]);

const euStates = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const eeaStates = 'IS LI NO'.split(' ');

/** States that give a year more than Directive 2019/771 does. */
const threeYears = (country: string, law: string, source: string): StatutoryRule => ({
  law,
  source,
  countries: [country],
  saleTypes: ['distance', 'off_premises', 'in_store'],
  claim: 'fault',
  window: { within: { years: 3 }, roll: 'next_working_day' },
  exemptions: [],
  fees: ['inspection'],
  shipping: 'none',
  refund: null,
});

/**
 * No rule of the United States or of Canada stands here: no federal law of theirs gives a right to return what was bought
 * at a distance. Australia gives one only for goods with a fault.
 */
export const statutoryRules: readonly StatutoryRule[] = [
  {
    law: 'EU 2011/83',
    source: 'Directive 2011/83/EU, articles 9 to 16 (EEA Agreement, annex XIX, 7i); Regulation 1182/71, article 3(4)',
    countries: [...euStates, ...eeaStates],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'next_working_day' },
    exemptions: euExemptions,
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    refund: { days: 14, from: 'request' },
  },
  {
    law: 'EU 2019/771',
    source: 'Directive (EU) 2019/771, articles 10, 13 and 14',
    countries: euStates,
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { years: 2 }, roll: 'next_working_day' },
    exemptions: [],
    fees: ['inspection'],
    shipping: 'none',
    refund: null,
  },
  threeYears('ES', 'ES TRLGDCU art. 120', 'Real Decreto Legislativo 1/2007, artículo 120 (Real Decreto-ley 7/2021)'),
  threeYears('PT', 'PT DL 84/2021', 'Decreto-Lei n.º 84/2021, artigo 12.º'),
  threeYears('SE', 'SE KKL 2022', 'Konsumentköplag (2022:260), 4 kap.'),
  {
    law: 'UK CCR 2013',
    source:
      'Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, regulations 27 to 38',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 14 }, roll: 'none' },
    exemptions: ukExemptions,
    fees: ['inspection', 'return_shipping'],
    shipping: 'standard',
    // Or, if that is earlier, from proof that they were sent, which nobody records here.
    refund: { days: 14, from: 'receipt' },
  },
  {
    law: 'UK CRA 2015',
    source: 'Consumer Rights Act 2015, sections 20 to 22',
    countries: ['GB'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 30 }, roll: 'none' },
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
  {
    law: 'BR CDC art. 49',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigo 49; Código Civil, artigo 132',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises'],
    claim: 'any',
    window: { within: { days: 7 }, roll: 'next_working_day' },
    // The law names none.
    exemptions: [],
    fees: [],
    shipping: 'full',
    refund: null,
  },
  {
    law: 'BR CDC art. 26',
    source: 'Código de Defesa do Consumidor (Lei 8.078/1990), artigos 18 e 26, II',
    countries: ['BR'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: { within: { days: 90 }, roll: 'next_working_day' },
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
  {
    law: 'AU ACL',
    source: 'Australian Consumer Law (Competition and Consumer Act 2010, schedule 2), sections 54 to 56, 259 to 263',
    countries: ['AU'],
    saleTypes: ['distance', 'off_premises', 'in_store'],
    claim: 'fault',
    window: null,
    exemptions: [],
    fees: [],
    shipping: 'none',
    refund: null,
  },
];

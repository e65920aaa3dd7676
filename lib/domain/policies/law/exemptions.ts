/**
 * Goods that a law exempts from the right of withdrawal. An order line names the exemption in `withdrawalExemption`.
 */
export type Exemption = {
  readonly code: string;
  readonly source: string;
  /**
   * `request` when the order line decides. By naming it, the shop states that all conditions of the law are met, such
   * as a fully performed service. `inspection` when it depends on what the customer did with the goods.
   */
  readonly decidedAt: 'request' | 'inspection';
};

const exemptionIn =
  (text: string, decidedAt: Exemption['decidedAt']) =>
  (code: string, article: string): Exemption => ({ code, source: `${text} ${article}`, decidedAt });

const eu = exemptionIn('Directive 2011/83/EU, article', 'request');
const euUnsealed = exemptionIn('Directive 2011/83/EU, article', 'inspection');

/** The exemptions of the EU. */
export const euExemptions: readonly Exemption[] = [
  eu('service_performed', '16(a)'),
  eu('market_price', '16(b)'),
  eu('custom_made', '16(c)'),
  eu('perishable', '16(d)'),
  euUnsealed('sealed_hygiene', '16(e)'),
  euUnsealed('mixed', '16(f)'),
  eu('alcohol_en_primeur', '16(g)'),
  eu('urgent_repair', '16(h)'),
  euUnsealed('sealed_media', '16(i)'),
  eu('newspaper', '16(j)'),
  eu('public_auction', '16(k)'),
  eu('accommodation', '16(l)'),
  eu('digital', '16(m)'),
];

const uk = exemptionIn('Consumer Contracts Regulations 2013, regulation', 'request');
const ukUnsealed = exemptionIn('Consumer Contracts Regulations 2013, regulation', 'inspection');

/*
 * Paragraphs of the UK regulations (https://www.legislation.gov.uk/uksi/2013/3134) were compared with quotations in
 * other publications: 28(1)(b), (c) and (h), 28(3)(a), 31, 32(3), 34(4) to (6), 34(9) to (11), 36(2) and 37(2). The
 * exemptions that name 28(1) or 28(3) without a letter are unverified, because no quotation was found.
 */
/** The exemptions of the United Kingdom. */
export const ukExemptions: readonly Exemption[] = [
  uk('service_performed', '36(2)'),
  uk('market_price', '28(1)'),
  uk('custom_made', '28(1)(b)'),
  uk('perishable', '28(1)(c)'),
  ukUnsealed('sealed_hygiene', '28(3)(a)'),
  ukUnsealed('mixed', '28(3)'),
  uk('alcohol_en_primeur', '28(1)'),
  uk('urgent_repair', '28(1)'),
  ukUnsealed('sealed_media', '28(3)'),
  uk('newspaper', '28(1)'),
  uk('public_auction', '28(1)'),
  uk('accommodation', '28(1)(h)'),
  uk('digital', '37(2)'),
];

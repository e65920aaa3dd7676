/** A kind of goods that a law takes out of the right to withdraw. An order's line names it in `withdrawalExemption`. */
export type Exemption = {
  readonly code: string;
  readonly source: string;
  /**
   * `request` where the line itself tells: the shop, by naming it, says that all holds that the law asks for, such as
   * that a service was performed to the end. `inspection` where it turns on what the customer did with the goods.
   */
  readonly decidedAt: 'request' | 'inspection';
};

const at =
  (text: string, decidedAt: Exemption['decidedAt']) =>
  (code: string, place: string): Exemption => ({ code, source: `${text} ${place}`, decidedAt });

const eu = at('Directive 2011/83/EU, article', 'request');
const euUnsealed = at('Directive 2011/83/EU, article', 'inspection');

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

const uk = at('Consumer Contracts Regulations 2013, regulation', 'request');
const ukUnsealed = at('Consumer Contracts Regulations 2013, regulation', 'inspection');

export const ukExemptions: readonly Exemption[] = [
  uk('service_performed', '36'),
  uk('market_price', '28(1)'),
  uk('custom_made', '28(1)'),
  uk('perishable', '28(1)'),
  ukUnsealed('sealed_hygiene', '28(3)'),
  ukUnsealed('mixed', '28(3)'),
  uk('alcohol_en_primeur', '28(1)'),
  uk('urgent_repair', '28(1)'),
  ukUnsealed('sealed_media', '28(3)'),
  uk('newspaper', '28(1)'),
  uk('public_auction', '28(1)'),
  uk('accommodation', '28(1)'),
  uk('digital', '37'),
];

import type { Rule, Condition } from '../policy.ts';
import type { PolicyDocument } from '../lifecycle/golden.ts';
import { standardCases } from './standard-cases.ts';

/** Holds only when the fact is known. So an unknown fact requires no review. */
const whereKnown = (condition: Extract<Condition, { readonly fact: string }>): Condition => ({
  and: [{ fact: condition.fact, op: 'exists', value: true }, condition],
});

/** Returns up to this value need no review, in minor units by currency. */
const autoApproved = { EUR: 15_000, GBP: 13_000, USD: 16_000, BRL: 80_000 };

const conditions = {
  faulty: whereKnown({ fact: 'line.fault', op: 'in', value: ['merchant', 'carrier'] }),
  fault_claimed: whereKnown({
    fact: 'return.basis',
    op: 'in',
    value: ['defect', 'warranty', 'wrong_item', 'transit_damage', 'recall'],
  }),
} satisfies Record<string, Condition>;

const unlessFaulty = (condition: Condition): Condition => ({ and: [{ not: { use: 'faulty' } }, condition] });

const inCategory = (category: string): Condition =>
  unlessFaulty(whereKnown({ fact: 'line.categories', op: 'hasAny', value: [category] }));

const rules: readonly Rule[] = [
  {
    id: 'final-sale',
    phase: 'exclusion',
    text: 'Items from a final sale can be returned only if they are faulty.',
    texts: {
      pt: 'Produtos de venda definitiva só podem ser devolvidos se tiverem um defeito.',
      es: 'Los artículos de venta definitiva solo se pueden devolver si tienen un defecto.',
      de: 'Artikel aus einem endgültigen Verkauf können nur bei einem Mangel zurückgegeben werden.',
      fr: 'Les articles en vente définitive ne peuvent être retournés qu’en cas de défaut.',
    },
    when: unlessFaulty(whereKnown({ fact: 'line.finalSale', op: 'eq', value: true })),
    deny: 'final_sale',
  },
  {
    id: 'gift-cards',
    phase: 'exclusion',
    text: 'Gift cards cannot be returned.',
    texts: {
      pt: 'Não é possível devolver vales-presente.',
      es: 'Las tarjetas regalo no se pueden devolver.',
      de: 'Geschenkgutscheine können nicht zurückgegeben werden.',
      fr: 'Les cartes cadeaux ne peuvent pas être retournées.',
    },
    when: inCategory('gift_cards'),
    deny: 'excluded',
  },
  {
    id: 'digital',
    phase: 'exclusion',
    text: 'Digital products cannot be returned.',
    texts: {
      pt: 'Não é possível devolver produtos digitais.',
      es: 'Los productos digitales no se pueden devolver.',
      de: 'Digitale Produkte können nicht zurückgegeben werden.',
      fr: 'Les produits numériques ne peuvent pas être retournés.',
    },
    when: inCategory('digital'),
    deny: 'excluded',
  },
  {
    id: 'hygiene',
    phase: 'exclusion',
    text: 'Hygiene products cannot be returned.',
    texts: {
      pt: 'Não é possível devolver produtos de higiene.',
      es: 'Los productos de higiene no se pueden devolver.',
      de: 'Hygieneartikel können nicht zurückgegeben werden.',
      fr: 'Les produits d’hygiène ne peuvent pas être retournés.',
    },
    when: inCategory('hygiene'),
    deny: 'excluded',
  },
  {
    id: 'window',
    phase: 'window',
    text: 'Items can be returned within 30 days of delivery. Christmas purchases can be returned until the end of January.',
    texts: {
      pt: 'A devolução é possível até 30 dias após a entrega. Compras de Natal podem ser devolvidas durante todo o mês de janeiro.',
      es: 'La devolución es posible hasta 30 días después de la entrega. Las compras de Navidad se pueden devolver durante todo el mes de enero.',
      de: 'Die Rückgabe ist bis 30 Tage nach der Lieferung möglich. Weihnachtseinkäufe können bis Ende Januar zurückgegeben werden.',
      fr: 'Le retour est possible jusqu’à 30 jours après la livraison. Les achats de Noël peuvent être retournés jusqu’à fin janvier.',
    },
    window: {
      anchor: 'delivered',
      days: 30,
      graceDays: 2,
      roll: 'next_working_day',
      fallback: { anchor: 'shipped', days: 37 },
      seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }],
    },
  },
  {
    id: 'window-faulty',
    phase: 'window',
    text: 'Faulty items can be returned within two years of delivery.',
    texts: {
      pt: 'Produtos com defeito podem ser devolvidos até dois anos após a entrega.',
      es: 'Los artículos defectuosos se pueden devolver hasta dos años después de la entrega.',
      de: 'Mangelhafte Artikel können bis zwei Jahre nach der Lieferung zurückgegeben werden.',
      fr: 'Les articles défectueux peuvent être retournés jusqu’à deux ans après la livraison.',
    },
    when: { use: 'faulty' },
    window: { anchor: 'delivered', days: 730, roll: 'next_working_day', fallback: { anchor: 'shipped', days: 737 } },
  },
  {
    id: 'evidence-of-damage',
    phase: 'requirement',
    text: 'A photo must show the damage.',
    texts: {
      pt: 'Uma foto deve mostrar os danos.',
      es: 'Una foto debe mostrar los daños.',
      de: 'Ein Foto muss den Schaden zeigen.',
      fr: 'Une photo doit montrer les dommages.',
    },
    when: { fact: 'line.reasonGroup', op: 'eq', value: 'condition' },
    require: ['evidence'],
  },
  {
    id: 'ship-by',
    phase: 'logistics',
    text: 'What is approved is to be on its way within two weeks.',
    shipByDays: 14,
  },
  {
    id: 'shipping',
    phase: 'logistics',
    text: 'What the order was shipped for goes back as far as the law says.',
    shipping: 'statutory',
  },
  {
    id: 'shipping-faulty',
    phase: 'logistics',
    text: 'With a whole order that was faulty goes back what it was shipped for.',
    when: { use: 'fault_claimed' },
    shipping: 'full_if_whole_order',
  },
  { id: 'inspection', phase: 'settlement', text: 'The shop inspects returned goods.', inspection: 'required' },
  { id: 'refund', phase: 'settlement', text: 'Money goes back for what has come back.', refundTiming: 'received' },
  ...Object.entries(autoApproved).map(
    ([currency, value]): Rule => ({
      id: `auto-${currency.toLowerCase()}`,
      phase: 'approval',
      text: `Small returns in ${currency} are approved without a review.`,
      when: {
        and: [
          { fact: 'order.currency', op: 'eq', value: currency },
          { fact: 'return.value', op: 'lte', value },
        ],
      },
      approval: 'auto',
    }),
  ),
  {
    id: 'many-returns',
    phase: 'approval',
    text: 'With more than 20 returns in a year, we check each of them.',
    texts: {
      pt: 'Acima de 20 devoluções por ano, cada uma é verificada.',
      es: 'Con más de 20 devoluciones al año, comprobamos cada una.',
      de: 'Bei mehr als 20 Rückgaben im Jahr prüfen wir jede einzelne.',
      fr: 'Au-delà de 20 retours par an, nous vérifions chacun d’eux.',
    },
    when: whereKnown({ fact: 'customer.returnsLast365Days', op: 'gt', value: 20 }),
    approval: 'manual',
  },
];

/**
 * A policy to start with. It decides the usual cases of a shop that sells to consumers, and leaves the rest to staff.
 * Its golden cases define what it does.
 */
export const standardPolicy: PolicyDocument = {
  language: 'en',
  categories: ['digital', 'gift_cards', 'hygiene'],
  conditions,
  rules,
  goldenCases: standardCases,
};

import { isRecord } from '../api/record.ts';
import { formatMoney, formatNumber, formatTime } from '../texts/format.ts';
import { common } from '../texts/common.ts';
import { label } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import { fieldText } from './field-texts.ts';

/* The words for values of fields: the choices of a form, and what a command changes. */

const words = texts(
  {
    accept: 'Accept',
    refuse: 'Refuse',
    missing: 'Missing',
    refused: 'Refused',
    lost_in_transit: 'Lost in transit',
    not_in_parcel: 'Not in the parcel',
    never_sent: 'Never sent',
    original_payment: 'Original payment',
    store_credit: 'Store credit',
    gift_card: 'Gift card',
    bank_transfer: 'Bank transfer',
    manual: 'Manual',
    asked: 'Question',
    answered: 'Answer',
    inbound: 'To the shop',
    outbound: 'To the customer',
    label_created: 'Label created',
    in_transit: 'In transit',
    delivered: 'Delivered',
    exception: 'Problem on the way',
    lost: 'Lost',
    cancelled: 'Cancelled',
    pending: 'To pay',
    submitted: 'Submitted',
    succeeded: 'Paid',
    failed: 'Failed',
    unknown: 'Unknown',
    reversed: 'Reversed',
    requested: 'Requested',
    ordered: 'Ordered',
    fulfilled: 'Fulfilled',
    refund: 'Refund',
    exchange: 'Exchange',
    repair: 'Repair',
    none: 'None',
    inspection: 'Inspection',
    restocking: 'Restocking',
    return_shipping: 'Return shipping',
    paid_before: 'Paid before',
    recovered: 'Paid back',
    written_off: 'Written off',
    internal: 'Staff only',
    customer: 'Customer',
    agent: 'Agent',
    system: 'System',
    marketplace: 'Marketplace',
    withdrawal: 'Withdrawal',
    defect: 'Defect',
    warranty: 'Warranty',
    wrong_item: 'Wrong item',
    transit_damage: 'Damage in transit',
    goodwill: 'Goodwill',
    recall: 'Recall',
    service: 'This service',
    platform: 'The platform',
  },
  {
    accept: 'Aceitar',
    refuse: 'Recusar',
    missing: 'Em falta',
    refused: 'Recusadas',
    lost_in_transit: 'Perdidas em trânsito',
    not_in_parcel: 'Não vieram no volume',
    never_sent: 'Nunca enviadas',
    original_payment: 'Pagamento original',
    store_credit: 'Crédito na loja',
    gift_card: 'Cartão-oferta',
    bank_transfer: 'Transferência bancária',
    manual: 'Manual',
    asked: 'Pergunta',
    answered: 'Resposta',
    inbound: 'Para a loja',
    outbound: 'Para o cliente',
    label_created: 'Etiqueta criada',
    in_transit: 'Em trânsito',
    delivered: 'Entregue',
    exception: 'Problema no transporte',
    lost: 'Perdida',
    cancelled: 'Cancelado',
    pending: 'Por pagar',
    submitted: 'Submetido',
    succeeded: 'Pago',
    failed: 'Falhado',
    unknown: 'Desconhecido',
    reversed: 'Revertido',
    requested: 'Pedida',
    ordered: 'Encomendada',
    fulfilled: 'Entregue',
    refund: 'Reembolso',
    exchange: 'Troca',
    repair: 'Reparação',
    none: 'Nenhuma',
    inspection: 'Inspeção',
    restocking: 'Reposição',
    return_shipping: 'Portes da devolução',
    paid_before: 'Pago antes',
    recovered: 'Devolvido',
    written_off: 'Anulado',
    internal: 'Só a equipa',
    customer: 'Cliente',
    agent: 'Agente',
    system: 'Sistema',
    marketplace: 'Marketplace',
    withdrawal: 'Retratação',
    defect: 'Defeito',
    warranty: 'Garantia',
    wrong_item: 'Artigo errado',
    transit_damage: 'Dano no transporte',
    goodwill: 'Cortesia',
    recall: 'Recolha',
    service: 'Este serviço',
    platform: 'A plataforma',
  },
  {
    gift_card: 'Vale-presente',
    internal: 'Só a equipe',
    return_shipping: 'Frete da devolução',
    withdrawal: 'Arrependimento',
    wrong_item: 'Item errado',
    recall: 'Recall',
    not_in_parcel: 'Não vieram no pacote',
    ordered: 'Pedida ao fornecedor',
  },
);

const wordOf = (name: string, code: string): string | undefined => {
  if (name === 'disposition') return label('disposition', code);
  if (name === 'refundStatus') return label('refund', code);
  return (words() as Readonly<Record<string, string>>)[code];
};

/** Returns the word for a code of a field, or the code itself if it has none. */
export const codeText = (name: string, code: string): string => wordOf(name, code) ?? code.replaceAll('_', ' ');

/** Fields whose texts are codes. Other texts are shown as they are: an id may look like a code. */
const coded: ReadonlySet<string> = new Set([
  'basis',
  'cause',
  'direction',
  'disposition',
  'initiatedBy',
  'managedBy',
  'method',
  'of',
  'outcome',
  'refundStatus',
  'resolution',
  'status',
  'type',
  'verdict',
  'visibility',
]);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:/;

/** Returns a value of a resource in words. Groups of fields become a list of their fields. */
export const valueText = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? common().yes : common().no;
  if (typeof value === 'number') return /bps$/i.test(name) ? `${formatNumber(value / 100)} %` : formatNumber(value);
  if (typeof value === 'string')
    return instant.test(value) ? formatTime(value) : coded.has(name) ? codeText(name, value) : value;
  if (Array.isArray(value)) return value.map((each) => valueText(name, each)).join(', ');
  if (!isRecord(value)) return '';
  const { amount, currency } = value;
  if (typeof amount === 'number' && typeof currency === 'string') return formatMoney({ amount, currency });
  return Object.entries(value)
    .filter(([field, each]) => !/Id$|^id$|At$|^(?:at|events|attempts|order|actor)$/.test(field) && isShort(each))
    .map(([field, each]) => [fieldText(field), valueText(field, each)] as const)
    .filter(([, text]) => text !== '')
    .map(([field, text]) => `${field} ${text}`)
    .join(' · ');
};

/** Whether a field belongs into a summary: it has a value, and no list of objects. */
const isShort = (value: unknown): boolean => {
  if (value === undefined || value === 0 || (isRecord(value) && value['amount'] === 0)) return false;
  return !Array.isArray(value) || (value.length > 0 && value.every((each) => !isRecord(each)));
};

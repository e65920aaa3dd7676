import { texts } from './language.ts';

/* The words for the facts of a policy, and for their comparisons. */

const words = texts(
  {
    fact: {
      requestedAt: 'time of the request',
      'order.platform': 'platform of the order',
      'order.country': 'country of the order',
      'order.region': 'region of the order',
      'order.channel': 'channel of the order',
      'order.market': 'market of the order',
      'order.seller': 'seller',
      'order.saleType': 'type of sale',
      'order.currency': 'currency of the order',
      'order.placedAt': 'time of the order',
      'order.lastDeliveredAt': 'last delivery of the order',
      'order.completeness': 'completeness of the order',
      'order.isGift': 'order is a gift',
      'order.buyerIsConsumer': 'buyer is a consumer',
      'order.value': 'value of the order',
      'customer.segment': 'segment of the customer',
      'customer.lists': 'lists with the customer',
      'customer.returnsLast30Days': 'returns of the customer in 30 days',
      'customer.returnsLast90Days': 'returns of the customer in 90 days',
      'customer.returnsLast365Days': 'returns of the customer in 365 days',
      'return.basis': 'grounds of the return',
      'return.initiatedBy': 'requested by',
      'return.channel': 'channel of the return',
      'return.isGift': 'return of a gift',
      'return.quantity': 'units of the return',
      'return.value': 'value of the return',
      'return.reasons': 'reasons of the return',
      'return.skus': 'SKUs of the return',
      'return.categories': 'categories of the return',
      'line.orderLineId': 'line of the order',
      'line.quantity': 'units of the line',
      'line.unitPrice': 'price of a unit',
      'line.value': 'value of the line',
      'line.sku': 'SKU',
      'line.productId': 'product',
      'line.brand': 'brand',
      'line.categories': 'categories of the item',
      'line.tags': 'tags of the item',
      'line.finalSale': 'final sale',
      'line.withdrawalExemption': 'exemption from withdrawal',
      'line.reason': 'reason',
      'line.reasonGroup': 'group of the reason',
      'line.fault': 'party at fault',
      'line.condition': 'condition of the item',
      'line.resolution': 'wanted resolution',
      'line.hasNote': 'line has a note',
      'line.hasEvidence': 'line has evidence',
      'line.delivered': 'item delivered',
      'line.deliveredAt': 'delivery of the item',
      'line.shippedAt': 'shipment of the item',
    },
    op: {
      eq: 'is',
      neq: 'is not',
      lt: 'is below',
      lte: 'is at most',
      gt: 'is above',
      gte: 'is at least',
      in: 'is one of',
      notIn: 'is none of',
      hasAny: 'has any of',
      hasAll: 'has all of',
      hasNone: 'has none of',
      between: 'is between',
      exists: 'is known',
      withinDays: 'is at most this many days before the request',
    },
    time: { lt: 'is before', lte: 'is not after', gt: 'is after', gte: 'is not before' },
    missing: 'unknown',
    yes: 'yes',
    no: 'no',
    nothing: 'nothing',
    and: 'and',
    or: 'or',
    not: (inner: string) => `not (${inner})`,
    use: (name: string) => `condition “${name}” holds`,
    known: (fact: string) => `${fact} is known`,
    unknown: (fact: string) => `${fact} is unknown`,
    days: (fact: string, days: string) => `${fact} is at most ${days} days before the request`,
  },
  {
    fact: {
      requestedAt: 'momento do pedido',
      'order.platform': 'plataforma da encomenda',
      'order.country': 'país da encomenda',
      'order.region': 'região da encomenda',
      'order.channel': 'canal da encomenda',
      'order.market': 'mercado da encomenda',
      'order.seller': 'vendedor',
      'order.saleType': 'tipo de venda',
      'order.currency': 'moeda da encomenda',
      'order.placedAt': 'momento da encomenda',
      'order.lastDeliveredAt': 'última entrega da encomenda',
      'order.completeness': 'dados completos da encomenda',
      'order.isGift': 'encomenda é um presente',
      'order.buyerIsConsumer': 'comprador é consumidor',
      'order.value': 'valor da encomenda',
      'customer.segment': 'segmento do cliente',
      'customer.lists': 'listas com o cliente',
      'customer.returnsLast30Days': 'devoluções do cliente em 30 dias',
      'customer.returnsLast90Days': 'devoluções do cliente em 90 dias',
      'customer.returnsLast365Days': 'devoluções do cliente em 365 dias',
      'return.basis': 'fundamento da devolução',
      'return.initiatedBy': 'pedida por',
      'return.channel': 'canal da devolução',
      'return.isGift': 'devolução de um presente',
      'return.quantity': 'unidades da devolução',
      'return.value': 'valor da devolução',
      'return.reasons': 'motivos da devolução',
      'return.skus': 'SKU da devolução',
      'return.categories': 'categorias da devolução',
      'line.orderLineId': 'linha da encomenda',
      'line.quantity': 'unidades da linha',
      'line.unitPrice': 'preço de uma unidade',
      'line.value': 'valor da linha',
      'line.sku': 'SKU',
      'line.productId': 'produto',
      'line.brand': 'marca',
      'line.categories': 'categorias do artigo',
      'line.tags': 'etiquetas do artigo',
      'line.finalSale': 'venda definitiva',
      'line.withdrawalExemption': 'exceção ao direito de retratação',
      'line.reason': 'motivo',
      'line.reasonGroup': 'grupo do motivo',
      'line.fault': 'parte responsável',
      'line.condition': 'estado do artigo',
      'line.resolution': 'solução pretendida',
      'line.hasNote': 'linha tem nota',
      'line.hasEvidence': 'linha tem prova',
      'line.delivered': 'artigo entregue',
      'line.deliveredAt': 'entrega do artigo',
      'line.shippedAt': 'envio do artigo',
    },
    op: {
      eq: 'é',
      neq: 'não é',
      lt: 'é inferior a',
      lte: 'é no máximo',
      gt: 'é superior a',
      gte: 'é no mínimo',
      in: 'é um de',
      notIn: 'não é nenhum de',
      hasAny: 'tem algum de',
      hasAll: 'tem todos de',
      hasNone: 'não tem nenhum de',
      between: 'está entre',
      exists: 'é conhecido',
      withinDays: 'é no máximo este número de dias antes do pedido',
    },
    time: { lt: 'é antes de', lte: 'não é depois de', gt: 'é depois de', gte: 'não é antes de' },
    missing: 'desconhecido',
    yes: 'sim',
    no: 'não',
    nothing: 'nada',
    and: 'e',
    or: 'ou',
    not: (inner) => `não (${inner})`,
    use: (name) => `a condição “${name}” verifica-se`,
    known: (fact) => `${fact} é conhecido`,
    unknown: (fact) => `${fact} é desconhecido`,
    days: (fact, days) => `${fact} é no máximo ${days} dias antes do pedido`,
  },
  {
    fact: {
      'order.platform': 'plataforma do pedido',
      'order.country': 'país do pedido',
      'order.region': 'região do pedido',
      'order.channel': 'canal do pedido',
      'order.market': 'mercado do pedido',
      'order.currency': 'moeda do pedido',
      'order.placedAt': 'momento da compra',
      'order.lastDeliveredAt': 'última entrega do pedido',
      'order.completeness': 'dados completos do pedido',
      'order.isGift': 'pedido é um presente',
      'order.value': 'valor do pedido',
      requestedAt: 'momento da solicitação',
      'return.initiatedBy': 'solicitada por',
      'line.orderLineId': 'linha do pedido',
      'line.categories': 'categorias do item',
      'line.tags': 'etiquetas do item',
      'line.withdrawalExemption': 'exceção ao direito de arrependimento',
      'line.condition': 'estado do item',
      'line.hasEvidence': 'linha tem evidência',
      'line.delivered': 'item entregue',
      'line.deliveredAt': 'entrega do item',
      'line.shippedAt': 'envio do item',
    },
    use: (name) => `a condição “${name}” é satisfeita`,
    days: (fact, days) => `${fact} é no máximo ${days} dias antes da solicitação`,
    op: { withinDays: 'é no máximo este número de dias antes da solicitação' },
  },
);

type Words = ReturnType<typeof words>;

const isInstant = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Returns the words for a fact, or its name if it has none. */
export const factWords = (fact: string): string => (words().fact as Readonly<Record<string, string>>)[fact] ?? fact;

/** Returns the words for an operator. */
export const operatorWords = (op: string, isTime = false): string => {
  const { op: ops, time } = words();
  const inTime = isTime ? (time as Readonly<Record<string, string>>)[op] : undefined;
  return inTime ?? (ops as Readonly<Record<string, string>>)[op] ?? op;
};

/** Returns the words for a value of a fact. */
export const valueWords = (value: unknown, format: (value: string | number) => string = String): string => {
  const t = words();
  if (value === null || value === undefined) return t.missing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value))
    return value.length === 0 ? t.nothing : value.map((one) => valueWords(one, format)).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? format(value) : JSON.stringify(value);
};

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];

/** Returns a condition as one sentence. A shape that is not a condition is shown as JSON. */
export const conditionWords = (condition: unknown, t: Words = words()): string => {
  if (typeof condition !== 'object' || condition === null) return JSON.stringify(condition);
  const { and, or, not, use, fact, op, value } = condition as Readonly<Record<string, unknown>>;
  const group = (parts: readonly unknown[], join: string) =>
    parts
      .map((part) => {
        const isGroup = typeof part === 'object' && part !== null && ('and' in part || 'or' in part);
        const inner = conditionWords(part, t);
        return isGroup ? `(${inner})` : inner;
      })
      .join(` ${join} `);
  if (isList(and)) return group(and, t.and);
  if (isList(or)) return group(or, t.or);
  if (not !== undefined) return t.not(conditionWords(not, t));
  if (typeof use === 'string') return t.use(use);
  if (typeof fact !== 'string' || typeof op !== 'string') return JSON.stringify(condition);
  if (op === 'exists') return value === false ? t.unknown(factWords(fact)) : t.known(factWords(fact));
  if (op === 'withinDays') return t.days(factWords(fact), String(value));
  const isTime = isInstant(isList(value) ? value[0] : value);
  const text =
    op === 'between' && isList(value) ? value.map((one) => valueWords(one)).join(` ${t.and} `) : valueWords(value);
  return `${factWords(fact)} ${operatorWords(op, isTime)} ${text === '' ? '…' : text}`;
};

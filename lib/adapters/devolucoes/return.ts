import { amountOf, instantOf } from '../fields.ts';
import type { Devolucao, Item, Justificativa, Resumo, Situacao } from './service.ts';

/* A return of the service in the words of the contract. */

const zone = 'America/Sao_Paulo';

/** Returns our code for a reason of the service: `TAMANHO_PEQUENO` is `tamanho_pequeno`. Other words have no code. */
const codeOf = (word: string | undefined): string | undefined =>
  word !== undefined && /^[A-Z_]{1,100}$/.test(word) ? word.toLowerCase() : undefined;

/** Returns the reason of the service for a code of ours. */
export const wordOf = (code: string): string => code.toUpperCase();

/** The states whose units are neither rejected nor cancelled, as the amount of a line demands. */
const open: ReadonlySet<Situacao> = new Set([
  'ABERTA',
  'APROVADA',
  'EM_TRANSITO',
  'RECEBIDA_PARCIALMENTE',
  'RECEBIDA',
  'ENCERRADA',
]);

const lineOf = (item: Item, index: number, { situacao, moeda }: Devolucao) => ({
  lineId: String(item.sequencia),
  orderLineId: item.itemPedido,
  sku: item.produto,
  quantities: { requested: item.quantidade, received: item.quantidadeRecebida },
  reason: {
    code: codeOf(item.motivo),
    note: item.observacao,
    source: { system: 'devolucoes', code: item.motivo },
  },
  amounts: open.has(situacao)
    ? { gross: amountOf(item.valorPago, moeda, `/itens/${index}/valorPago`, ',') }
    : undefined,
});

const whyOf = (why: Justificativa | undefined) => why && { code: codeOf(why.codigo), note: why.texto };

/** Returns a return of a list. */
export const headOf = ({ codigo, situacao, pedido, criadaEm, atualizadaEm }: Resumo) => ({
  returnId: String(codigo),
  state: situacao,
  order: { orderId: pedido.numero, number: pedido.numero },
  createdAt: instantOf(criadaEm, zone, '/criadaEm'),
  updatedAt: instantOf(atualizadaEm, zone, '/atualizadaEm'),
});

/** Returns a return with its lines. */
export const returnOf = (devolucao: Devolucao) => ({
  ...headOf(devolucao),
  customer: { name: devolucao.cliente.nome, email: devolucao.cliente.email },
  lines: devolucao.itens.map((item, index) => lineOf(item, index, devolucao)),
  rejection: whyOf(devolucao.recusa),
  cancellation: whyOf(devolucao.cancelamento),
});

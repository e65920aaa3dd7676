import type { Adapter, ServiceAnswer } from '../adapter.ts';
import { pageCursor, pageNumber } from '../cursor.ts';
import { failureOf, OperationFailure } from '../failure.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import { headOf, returnOf, wordOf } from './return.ts';
import type { Devolucao, Erro, Motivos, Pagina, Protocolo, Situacao } from './service.ts';

type Offered =
  | 'getReturn'
  | 'listReturns'
  | 'listReasons'
  | 'createReturn'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'receive'
  | 'addNote';

/** The most returns of a page of the service. */
const maxSize = 100;

/** The states that only an approved return reaches. */
const approved: ReadonlySet<Situacao> = new Set([
  'APROVADA',
  'EM_TRANSITO',
  'RECEBIDA_PARCIALMENTE',
  'RECEBIDA',
  'ENCERRADA',
]);

type Failed = { readonly erro?: Partial<Erro>; readonly protocolo?: string; readonly situacao?: string };

const errorIn = ({ body }: ServiceAnswer): string | undefined => {
  const { erro, protocolo, situacao } = (body ?? {}) as Failed;
  if (erro) return erro.codigo ?? 'SEM_CODIGO';
  return protocolo !== undefined && situacao === 'FALHOU' ? situacao : undefined;
};

const read = async (returnId: string, { send }: Service): Promise<Devolucao> =>
  (await send<Devolucao>({ method: 'GET', path: path`/devolucoes/${returnId}` })).body;

const post = async (to: ReturnType<typeof path>, body: object, { send }: Service) =>
  returnOf((await send<Devolucao>({ method: 'POST', path: to, body })).body);

const whyBody = (code: string | undefined, note: string | undefined) => ({
  codigo: code && wordOf(code),
  texto: note,
});

type Units = { readonly lineId: string; readonly quantity: number };

/** Returns received units by the number of their line. @throws {OperationFailure} for an id that is no number */
const received = (lines: readonly Units[] = []) =>
  lines.map(({ lineId, quantity }) => {
    if (!/^[1-9]\d{0,8}$/.test(lineId)) throw new OperationFailure(failureOf('return_line_not_found'));
    return { sequencia: Number(lineId), quantidade: quantity };
  });

/**
 * Returns whether all units of a return are received, and a request had all of them. Of a part of the units the service
 * cannot say which request brought them.
 */
const isWholeReceipt = ({ itens }: Devolucao, lines: readonly Units[] = []): boolean => {
  const units = new Map(received(lines).map(({ sequencia, quantidade }) => [sequencia, quantidade]));
  return itens.every(
    ({ sequencia, quantidade, quantidadeRecebida }) =>
      quantidade === quantidadeRecebida && units.get(sequencia) === quantidade,
  );
};

export const adapter: Adapter<Situacao, Offered> = {
  name: 'devolucoes',
  title: 'the example service Devoluções',
  parameters: { ServicePath: '/api/v2' },
  states: {
    ABERTA: 'requested',
    APROVADA: 'approved',
    RECUSADA: 'rejected',
    EM_TRANSITO: 'in_transit',
    RECEBIDA_PARCIALMENTE: 'partially_received',
    RECEBIDA: 'received',
    ENCERRADA: 'completed',
    CANCELADA: 'cancelled',
  },
  otherwise: 'requested',
  failures: {
    404: 'return_not_found',
    PEDIDO_INEXISTENTE: 'order_not_found',
    ITEM_PEDIDO_INEXISTENTE: 'order_line_not_found',
    ITEM_INEXISTENTE: 'return_line_not_found',
    QUANTIDADE_EXCEDIDA: 'quantity_exceeds_returnable',
    MOTIVO_DESCONHECIDO: 'reason_unknown',
    SITUACAO_INVALIDA: 'invalid_transition',
  },
  errorIn,
  probe: ({ send }) => send({ method: 'GET', path: path`/devolucoes`, query: { tamanho: 1 } }),
  operations: {
    getReturn: {
      accepts: [],
      run: async ({ returnId }, service) => returnOf(await read(returnId, service)),
    },
    listReturns: {
      accepts: ['limit', 'cursor', 'orderNumber'],
      run: async ({ limit = 50, cursor, orderNumber }, { send }) => {
        const tamanho = Math.min(limit, maxSize);
        const pagina = pageNumber(cursor, 1, tamanho);
        const { body } = await send<Pagina>({
          method: 'GET',
          path: path`/devolucoes`,
          query: { pagina, tamanho, pedido: orderNumber },
        });
        return {
          items: body.itens.map(headOf),
          next: pagina < body.totalPaginas ? pageCursor(pagina + 1, tamanho) : undefined,
        };
      },
    },
    listReasons: {
      accepts: [],
      run: async (_, { send }) => {
        const { body } = await send<Motivos>({ method: 'GET', path: path`/motivos` });
        return {
          items: body.motivos.map(({ codigo, descricao }) => ({
            code: codigo.toLowerCase(),
            labels: { 'pt-BR': descricao },
          })),
        };
      },
    },
    createReturn: {
      accepts: ['order.orderId', 'lines.orderLineId', 'lines.quantity', 'lines.reason.code', 'lines.reason.note'],
      repeat: { rule: 'header', header: 'Chave-Idempotencia' },
      run: async ({ order, lines }, service) =>
        post(
          path`/devolucoes`,
          {
            pedido: order.orderId,
            itens: lines.map(({ orderLineId, quantity, reason }) => ({
              itemPedido: orderLineId,
              quantidade: quantity,
              motivo: wordOf(reason.code),
              observacao: reason.note,
            })),
          },
          service,
        ),
    },
    approve: {
      accepts: [],
      repeat: {
        rule: 'read first',
        find: async ({ returnId }, service) => {
          const devolucao = await read(returnId, service);
          return approved.has(devolucao.situacao) ? returnOf(devolucao) : undefined;
        },
      },
      run: async ({ returnId }, service) => post(path`/devolucoes/${returnId}/aprovacao`, {}, service),
    },
    reject: {
      accepts: ['code', 'note'],
      repeat: {
        rule: 'read first',
        find: async ({ returnId, code }, service) => {
          const devolucao = await read(returnId, service);
          const { situacao, recusa } = devolucao;
          return situacao === 'RECUSADA' && recusa?.codigo === wordOf(code) ? returnOf(devolucao) : undefined;
        },
      },
      run: async ({ returnId, code, note }, service) =>
        post(path`/devolucoes/${returnId}/recusa`, whyBody(code, note), service),
    },
    cancel: {
      accepts: ['code', 'note'],
      // A second cancellation of a cancelled return changes nothing there, and answers with the return.
      repeat: { rule: 'natural key' },
      run: async ({ returnId, code, note }, service) =>
        post(path`/devolucoes/${returnId}/cancelamento`, whyBody(code, note), service),
    },
    receive: {
      accepts: ['lines'],
      repeat: {
        rule: 'read first',
        find: async ({ returnId, lines }, service) => {
          const devolucao = await read(returnId, service);
          return isWholeReceipt(devolucao, lines) ? returnOf(devolucao) : undefined;
        },
      },
      run: async ({ returnId, lines }, service) => {
        const { body } = await service.send<Protocolo>({
          method: 'POST',
          path: path`/devolucoes/${returnId}/recebimento`,
          body: { itens: received(lines) },
        });
        await service.follow<Protocolo>(
          { method: 'GET', path: path`/protocolos/${body.protocolo}` },
          ({ situacao }) => situacao !== 'PROCESSANDO',
        );
        return returnOf(await read(returnId, service));
      },
    },
    addNote: {
      accepts: ['text'],
      // The service has no key for notes, and two notes may have the same text.
      repeat: { rule: 'never' },
      run: async ({ returnId, text }, service) =>
        post(path`/devolucoes/${returnId}/observacoes`, { texto: text }, service),
    },
  },
};

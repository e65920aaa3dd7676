import type { Adapter } from '../adapter.ts';
import { pageNumber } from '../cursor.ts';
import { instantOf } from '../fields.ts';
import { path } from '../path.ts';
import type { Service } from '../send.ts';
import type { Devolucao, Item, Pagina, Situacao } from './service.ts';

const zone = 'America/Sao_Paulo';

const lineOf = ({ sequencia, itemPedido, produto, quantidade, motivo }: Item) => ({
  lineId: String(sequencia),
  orderLineId: itemPedido,
  sku: produto,
  quantities: { requested: quantidade },
  reason: { source: { system: 'devolucoes', code: motivo } },
});

const headOf = ({ codigo, situacao, pedido, criadaEm, atualizadaEm }: Devolucao) => ({
  returnId: String(codigo),
  state: situacao,
  order: { orderId: pedido.numero },
  createdAt: instantOf(criadaEm, zone, '/criadaEm'),
  updatedAt: instantOf(atualizadaEm, zone, '/atualizadaEm'),
});

const returnOf = (devolucao: Devolucao) => ({
  ...headOf(devolucao),
  customer: { name: devolucao.cliente.nome, email: devolucao.cliente.email },
  lines: devolucao.itens.map(lineOf),
});

const read = async (returnId: string, { send }: Service): Promise<Devolucao> =>
  (await send<Devolucao>({ method: 'GET', path: path`/devolucoes/${returnId}` })).body;

type Offered = 'getReturn' | 'listReturns' | 'approve';

export const adapter: Adapter<Situacao, Offered> = {
  name: 'devolucoes',
  title: 'the example service Devoluções',
  parameters: {},
  states: {
    ABERTA: 'requested',
    APROVADA: 'approved',
    RECUSADA: 'rejected',
    EM_TRANSITO: 'in_transit',
    RECEBIDA: 'received',
    ENCERRADA: 'completed',
    CANCELADA: 'cancelled',
  },
  otherwise: 'requested',
  failures: { 404: 'return_not_found', 409: 'invalid_transition' },
  probe: ({ send }) => send({ method: 'GET', path: path`/devolucoes`, query: { tamanho: 1 } }),
  operations: {
    getReturn: {
      accepts: [],
      run: async ({ returnId }, service) => returnOf(await read(returnId, service)),
    },
    listReturns: {
      accepts: ['limit', 'cursor', 'orderNumber'],
      run: async ({ limit = 50, cursor, orderNumber }, { send }) => {
        const pagina = pageNumber(cursor, 1);
        const { body } = await send<Pagina>({
          method: 'GET',
          path: path`/devolucoes`,
          query: { pagina, tamanho: limit, pedido: orderNumber },
        });
        return {
          items: body.itens.map(headOf),
          next: body.pagina < body.totalPaginas ? String(pagina + 1) : undefined,
        };
      },
    },
    approve: {
      accepts: [],
      repeat: {
        rule: 'read first',
        find: async ({ returnId }, service) => {
          const devolucao = await read(returnId, service);
          return devolucao.situacao === 'APROVADA' ? returnOf(devolucao) : undefined;
        },
      },
      run: async ({ returnId }, { send }) =>
        returnOf(
          (await send<Devolucao>({ method: 'POST', path: path`/devolucoes/${returnId}/aprovacao`, body: {} })).body,
        ),
    },
  },
};

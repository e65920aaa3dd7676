import { randomUUID } from 'node:crypto';
import { findOrder, limiteFiscal, motivos, type ItemPedido, type Pedido } from './orders.ts';

/* The returns of the example service, in memory: what each command does, and when it fails. */

type Situacao =
  | 'ABERTA'
  /** Since last year. The description of the service does not have it. */
  | 'EM_ANALISE_FISCAL'
  | 'APROVADA'
  | 'RECUSADA'
  | 'EM_TRANSITO'
  | 'RECEBIDA_PARCIALMENTE'
  | 'RECEBIDA'
  | 'ENCERRADA'
  | 'CANCELADA';

type Item = {
  readonly sequencia: number;
  readonly pedido: ItemPedido;
  readonly quantidade: number;
  readonly motivo: string;
  readonly observacao?: string | undefined;
  recebidas: number;
};

type Justificativa = { readonly codigo?: string; readonly texto?: string };

export type Devolucao = {
  readonly codigo: number;
  readonly pedido: Pedido;
  readonly itens: readonly Item[];
  readonly criadaEm: number;
  atualizadaEm: number;
  situacao: Situacao;
  recusa?: Justificativa;
  cancelamento?: Justificativa;
  readonly observacoes: string[];
};

export type NovaDevolucao = {
  readonly pedido: string;
  readonly itens: readonly {
    readonly itemPedido: string;
    readonly quantidade: number;
    readonly motivo: string;
    readonly observacao?: string;
  }[];
};

type Recebimento = readonly { readonly sequencia: number; readonly quantidade: number }[];

/** A receipt that is carried out later. */
type Protocolo = {
  readonly protocolo: string;
  readonly devolucao: Devolucao;
  readonly itens: Recebimento;
  readonly prontoEm: number;
  situacao: 'PROCESSANDO' | 'CONCLUIDO' | 'FALHOU';
  erro?: ErroDeNegocio;
};

/** An error of the service, by its code. */
export class ErroDeNegocio extends Error {
  readonly codigo: string;

  constructor(codigo: string, mensagem: string) {
    super(mensagem);
    this.codigo = codigo;
  }
}

const undecided: ReadonlySet<Situacao> = new Set(['ABERTA']);
const cancellable: ReadonlySet<Situacao> = new Set(['ABERTA', 'EM_ANALISE_FISCAL', 'APROVADA']);
const receivable: ReadonlySet<Situacao> = new Set(['APROVADA', 'EM_TRANSITO', 'RECEBIDA_PARCIALMENTE']);

/** @throws {ErroDeNegocio} for a return in another state */
const checkState = (allowed: ReadonlySet<Situacao>, { situacao }: Devolucao): void => {
  if (!allowed.has(situacao)) throw new ErroDeNegocio('SITUACAO_INVALIDA', `A devolução está na situação ${situacao}.`);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export type BooksOptions = {
  readonly now: () => number;
  /** The milliseconds after which a receipt is carried out. */
  readonly processingMs: () => number;
};

/** Opens the books without any return. */
export const openBooks = ({ now, processingMs }: BooksOptions) => {
  const returns = new Map<number, Devolucao>();
  const protocols = new Map<string, Protocolo>();
  const byKey = new Map<string, Devolucao>();
  const effects: string[] = [];

  const change = (devolucao: Devolucao, situacao: Situacao): Devolucao => {
    effects.push(`${devolucao.codigo} ${situacao}`);
    return Object.assign(devolucao, { situacao, atualizadaEm: now() });
  };

  const returnable = (pedido: Pedido, item: ItemPedido): number => {
    const others = [...returns.values()].filter(({ pedido: { numero }, situacao }) => {
      const isOpen = situacao !== 'RECUSADA' && situacao !== 'CANCELADA';
      return numero === pedido.numero && isOpen;
    });
    const lines = others.flatMap(({ itens }) => itens.filter(({ pedido: { item: id } }) => id === item.item));
    return item.quantidade - sum(lines.map(({ quantidade }) => quantidade));
  };

  const lineOf = (pedido: Pedido, { itemPedido, ...line }: NovaDevolucao['itens'][number], index: number): Item => {
    const item = pedido.itens.find(({ item: id }) => id === itemPedido);
    if (item === undefined)
      throw new ErroDeNegocio('ITEM_PEDIDO_INEXISTENTE', `O pedido não tem o item ${itemPedido}.`);
    if (!motivos.some(({ codigo }) => codigo === line.motivo))
      throw new ErroDeNegocio('MOTIVO_DESCONHECIDO', `O motivo ${line.motivo} não existe.`);
    if (line.quantidade > returnable(pedido, item))
      throw new ErroDeNegocio('QUANTIDADE_EXCEDIDA', `O item ${itemPedido} não tem tantas unidades.`);
    return { sequencia: index + 1, pedido: item, recebidas: 0, ...line };
  };

  const create = ({ pedido: numero, itens }: NovaDevolucao): Devolucao => {
    const pedido = findOrder(numero);
    if (pedido === undefined) throw new ErroDeNegocio('PEDIDO_INEXISTENTE', `O pedido ${numero} não existe.`);
    const lines = itens.map((item, index) => lineOf(pedido, item, index));
    const total = sum(lines.map(({ quantidade, pedido: { precoUnitario } }) => quantidade * precoUnitario));
    const devolucao: Devolucao = {
      codigo: 10_001 + returns.size,
      pedido,
      itens: lines,
      criadaEm: now(),
      atualizadaEm: now(),
      situacao: total > limiteFiscal ? 'EM_ANALISE_FISCAL' : 'ABERTA',
      observacoes: [],
    };
    returns.set(devolucao.codigo, devolucao);
    return change(devolucao, devolucao.situacao);
  };

  const receive = ({ devolucao, itens }: Protocolo): void => {
    const units = itens.map(({ sequencia, quantidade }) => {
      const item = devolucao.itens.find((line) => line.sequencia === sequencia);
      if (item === undefined) throw new ErroDeNegocio('ITEM_INEXISTENTE', `A devolução não tem o item ${sequencia}.`);
      if (quantidade > item.quantidade - item.recebidas)
        throw new ErroDeNegocio('QUANTIDADE_EXCEDIDA', `O item ${sequencia} não tem tantas unidades.`);
      return { item, quantidade };
    });
    for (const { item, quantidade } of units) item.recebidas += quantidade;
    const isWhole = devolucao.itens.every(({ quantidade, recebidas }) => quantidade === recebidas);
    change(devolucao, isWhole ? 'RECEBIDA' : 'RECEBIDA_PARCIALMENTE');
  };

  const carryOut = (protocol: Protocolo): void => {
    if (protocol.situacao !== 'PROCESSANDO') return;
    try {
      receive(protocol);
      protocol.situacao = 'CONCLUIDO';
    } catch (error) {
      if (!(error instanceof ErroDeNegocio)) throw error;
      Object.assign(protocol, { situacao: 'FALHOU', erro: error });
    }
  };

  return {
    /** Carries out the receipts whose time has come. @param until epoch milliseconds */
    processDue: (until = now()): void => {
      for (const protocol of protocols.values()) if (protocol.prontoEm <= until) carryOut(protocol);
    },
    /** What commands have changed so far: the id of a return, and its state afterwards. */
    effects: effects as readonly string[],
    find: (codigo: string): Devolucao | undefined =>
      /^[1-9]\d*$/.test(codigo) ? returns.get(Number(codigo)) : undefined,
    /** Returns all returns, the newest first. */
    all: (): readonly Devolucao[] => [...returns.values()].toReversed(),
    /** Creates a return. A second request with the key returns the first return. */
    create: (request: NovaDevolucao, key: string | undefined): Devolucao => {
      const known = key === undefined ? undefined : byKey.get(key);
      if (known !== undefined) return known;
      const created = create(request);
      if (key !== undefined) byKey.set(key, created);
      return created;
    },
    approve: (devolucao: Devolucao): Devolucao => {
      checkState(undecided, devolucao);
      return change(devolucao, 'APROVADA');
    },
    reject: (devolucao: Devolucao, recusa: Justificativa): Devolucao => {
      checkState(undecided, devolucao);
      return Object.assign(change(devolucao, 'RECUSADA'), { recusa });
    },
    /** A second cancellation changes nothing. */
    cancel: (devolucao: Devolucao, cancelamento: Justificativa): Devolucao => {
      if (devolucao.situacao === 'CANCELADA') return devolucao;
      checkState(cancellable, devolucao);
      return Object.assign(change(devolucao, 'CANCELADA'), { cancelamento });
    },
    addNote: (devolucao: Devolucao, texto: string): Devolucao => {
      devolucao.observacoes.push(texto);
      return change(devolucao, devolucao.situacao);
    },
    /** Accepts a receipt, and returns its protocol. */
    startReceipt: (devolucao: Devolucao, itens: Recebimento): Protocolo => {
      checkState(receivable, devolucao);
      const prontoEm = now() + processingMs();
      const protocol: Protocolo = { protocolo: randomUUID(), devolucao, itens, prontoEm, situacao: 'PROCESSANDO' };
      protocols.set(protocol.protocolo, protocol);
      return protocol;
    },
    protocol: (id: string): Protocolo | undefined => protocols.get(id),
  };
};

export type Books = ReturnType<typeof openBooks>;

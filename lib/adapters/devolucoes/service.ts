/* The types of the service, as its description gives them. */

/** The states of a return. The description lacks `EM_ANALISE_FISCAL`, which the service has since last year. */
export type Situacao = 'ABERTA' | 'APROVADA' | 'RECUSADA' | 'EM_TRANSITO' | 'RECEBIDA' | 'ENCERRADA' | 'CANCELADA';

export type Item = {
  readonly sequencia: number;
  readonly itemPedido: string;
  readonly produto: string;
  readonly quantidade: number;
  readonly motivo: string;
  /** A decimal with a comma, in the currency of the return. */
  readonly valorUnitario: string;
};

export type Devolucao = {
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly pedido: { readonly numero: string };
  readonly moeda: string;
  /** A clock time in São Paulo, such as `2026-11-20T08:00:00`. */
  readonly criadaEm: string;
  readonly atualizadaEm: string;
  readonly cliente: { readonly nome: string; readonly email: string };
  readonly itens: readonly Item[];
};

export type Pagina = { readonly pagina: number; readonly totalPaginas: number; readonly itens: readonly Devolucao[] };

/** An error, also with status 200. */
export type Erro = { readonly erro: { readonly codigo: string; readonly mensagem: string } };

/** A command that the service carries out later. */
export type Protocolo = {
  readonly protocolo: string;
  readonly situacao: 'PROCESSANDO' | 'CONCLUIDO' | 'FALHOU';
  readonly erro?: Erro['erro'];
};

export type Motivo = { readonly codigo: string; readonly descricao: string };

/* The types of the service, as its description gives them. */

/** The states of a return. The description lacks `EM_ANALISE_FISCAL`, which the service has since last year. */
export type Situacao =
  | 'ABERTA'
  | 'APROVADA'
  | 'RECUSADA'
  | 'EM_TRANSITO'
  | 'RECEBIDA_PARCIALMENTE'
  | 'RECEBIDA'
  | 'ENCERRADA'
  | 'CANCELADA';

export type Item = {
  readonly sequencia: number;
  readonly itemPedido: string;
  readonly produto: string;
  readonly quantidade: number;
  readonly quantidadeRecebida: number;
  readonly motivo: string;
  readonly observacao?: string;
  /** What the customer paid for the units: a decimal with a comma, in the currency of the return. */
  readonly valorPago: string;
};

/** Why a return was rejected or cancelled. */
export type Justificativa = { readonly codigo?: string; readonly texto?: string };

/** A return in a list. */
export type Resumo = {
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly pedido: { readonly numero: string };
  /** A clock time in São Paulo, such as `2026-11-20T08:00:00`. */
  readonly criadaEm: string;
  readonly atualizadaEm: string;
};

export type Devolucao = Resumo & {
  readonly moeda: string;
  readonly cliente: { readonly nome: string; readonly email: string };
  readonly itens: readonly Item[];
  readonly recusa?: Justificativa;
  readonly cancelamento?: Justificativa;
};

export type Pagina = { readonly pagina: number; readonly totalPaginas: number; readonly itens: readonly Resumo[] };

/** The member `erro` of an answer, also with status 200. */
export type Erro = { readonly codigo: string; readonly mensagem: string };

/** A command that the service carries out later. */
export type Protocolo = {
  readonly protocolo: string;
  readonly situacao: 'PROCESSANDO' | 'CONCLUIDO' | 'FALHOU';
  readonly erro?: Erro;
};

export type Motivos = { readonly motivos: readonly { readonly codigo: string; readonly descricao: string }[] };

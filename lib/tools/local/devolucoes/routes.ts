import { detalhe, erro, listIn, numberIn, optionalTextIn, protocolo, resumo, textIn } from './bodies.ts';
import { type Books, type Devolucao, ErroDeNegocio } from './books.ts';
import { motivos } from './orders.ts';

/* The endpoints of the example service, below its base path. */

export type ForeignRequest = {
  readonly method: string;
  /** The path below the base path, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** The header `Chave-Idempotencia`. */
  readonly key: string | undefined;
};

export type ForeignAnswer = { readonly status: number; readonly body: unknown };

/** The status of an error, apart from a request for a return: that gets 200. */
const statuses: Readonly<Record<string, number>> = {
  CAMPO_INVALIDO: 400,
  NAO_ENCONTRADO: 404,
  DEVOLUCAO_INEXISTENTE: 404,
  PROTOCOLO_INEXISTENTE: 404,
  SITUACAO_INVALIDA: 409,
};

const maxSize = 100;

const pageParameter = (query: URLSearchParams, name: string, otherwise: number): number =>
  query.has(name) ? numberIn({ [name]: Number(query.get(name)) }, name) : otherwise;

const list = ({ query }: ForeignRequest, books: Books): ForeignAnswer => {
  const [pagina, tamanho] = [pageParameter(query, 'pagina', 1), pageParameter(query, 'tamanho', 20)];
  if (tamanho > maxSize) throw new ErroDeNegocio('CAMPO_INVALIDO', `O tamanho máximo é ${maxSize}.`);
  const [pedido, situacoes] = [query.get('pedido'), query.getAll('situacao')];
  const found = books
    .all()
    .filter((devolucao) => pedido === null || devolucao.pedido.numero === pedido)
    .filter(({ situacao }) => situacoes.length === 0 || situacoes.includes(situacao));
  const itens = found.slice((pagina - 1) * tamanho, pagina * tamanho).map(resumo);
  return { status: 200, body: { pagina, totalPaginas: Math.ceil(found.length / tamanho), itens } };
};

const create = ({ body, key }: ForeignRequest, books: Books): ForeignAnswer => {
  const request = {
    pedido: textIn(body, 'pedido'),
    itens: listIn(body, 'itens').map((item) => ({
      itemPedido: textIn(item, 'itemPedido'),
      quantidade: numberIn(item, 'quantidade'),
      motivo: textIn(item, 'motivo'),
      ...optionalTextIn(item, 'observacao'),
    })),
  };
  try {
    return { status: 201, body: detalhe(books.create(request, key)) };
  } catch (error) {
    if (!(error instanceof ErroDeNegocio)) throw error;
    // Its clients of the first release understood no other status.
    return { status: 200, body: erro(error) };
  }
};

const why = (body: ForeignRequest['body']) => ({
  ...optionalTextIn(body, 'codigo'),
  ...optionalTextIn(body, 'texto'),
});

const receive = (devolucao: Devolucao, { body }: ForeignRequest, books: Books): ForeignAnswer => {
  const itens = listIn(body, 'itens').map((item) => ({
    sequencia: numberIn(item, 'sequencia'),
    quantidade: numberIn(item, 'quantidade'),
  }));
  return { status: 202, body: { protocolo: books.startReceipt(devolucao, itens).protocolo } };
};

type Command = (devolucao: Devolucao, request: ForeignRequest, books: Books) => ForeignAnswer;

const changed = (devolucao: Devolucao): ForeignAnswer => ({ status: 200, body: detalhe(devolucao) });

const commands: Readonly<Record<string, Command>> = {
  aprovacao: (devolucao, _, books) => changed(books.approve(devolucao)),
  recusa: (devolucao, { body }, books) =>
    changed(books.reject(devolucao, { codigo: textIn(body, 'codigo'), ...why(body) })),
  cancelamento: (devolucao, { body }, books) => changed(books.cancel(devolucao, why(body))),
  observacoes: (devolucao, { body }, books) => changed(books.addNote(devolucao, textIn(body, 'texto'))),
  recebimento: receive,
};

const ofReturn = (
  codigo: string,
  command: string | undefined,
  request: ForeignRequest,
  books: Books,
): ForeignAnswer => {
  const devolucao = books.find(codigo);
  if (devolucao === undefined) throw new ErroDeNegocio('DEVOLUCAO_INEXISTENTE', `A devolução ${codigo} não existe.`);
  if (command === undefined && request.method === 'GET') return changed(devolucao);
  const run = command !== undefined && request.method === 'POST' ? commands[command] : undefined;
  if (run === undefined) throw new ErroDeNegocio('NAO_ENCONTRADO', 'Não há nada aqui.');
  return run(devolucao, request, books);
};

const ofProtocol = (id: string, books: Books): ForeignAnswer => {
  const found = books.protocol(id);
  if (found === undefined) throw new ErroDeNegocio('PROTOCOLO_INEXISTENTE', 'O protocolo não existe.');
  return { status: 200, body: protocolo(found) };
};

const route = (request: ForeignRequest, books: Books): ForeignAnswer => {
  const { method, path } = request;
  const [, resource, id, command, ...more] = path.split('/');
  if (resource === 'devolucoes' && id !== undefined && more.length === 0) return ofReturn(id, command, request, books);
  if (`${method} ${path}` === 'GET /devolucoes') return list(request, books);
  if (`${method} ${path}` === 'POST /devolucoes') return create(request, books);
  if (`${method} ${path}` === 'GET /motivos') return { status: 200, body: { motivos } };
  if (method === 'GET' && resource === 'protocolos' && id !== undefined && command === undefined)
    return ofProtocol(id, books);
  throw new ErroDeNegocio('NAO_ENCONTRADO', 'Não há nada aqui.');
};

/** Answers a request with a valid token. */
export const answer = (request: ForeignRequest, books: Books): ForeignAnswer => {
  books.processDue();
  try {
    return route(request, books);
  } catch (error) {
    if (!(error instanceof ErroDeNegocio)) throw error;
    return { status: statuses[error.codigo] ?? 422, body: erro(error) };
  }
};

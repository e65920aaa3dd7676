import type { Books, Devolucao } from './books.ts';
import { ErroDeNegocio } from './books.ts';

/* The bodies of the example service, as it writes and reads them. */

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Returns the clock time in São Paulo, without a zone. */
const localTime = (at: number): string => clock.format(at).replace(' ', 'T');

/** Returns centavos as a decimal with a comma. */
const decimal = (centavos: number): string =>
  `${Math.floor(centavos / 100)},${String(centavos % 100).padStart(2, '0')}`;

/** Returns a return in a list. */
export const resumo = ({ codigo, situacao, pedido, criadaEm, atualizadaEm }: Devolucao) => ({
  codigo,
  situacao,
  pedido: { numero: pedido.numero },
  cliente: { email: pedido.cliente.email },
  criadaEm: localTime(criadaEm),
  atualizadaEm: localTime(atualizadaEm),
});

/** Returns a return with its items. */
export const detalhe = (devolucao: Devolucao) => ({
  ...resumo(devolucao),
  moeda: devolucao.pedido.moeda,
  cliente: devolucao.pedido.cliente,
  itens: devolucao.itens.map(({ sequencia, pedido, quantidade, motivo, observacao, recebidas }) => ({
    sequencia,
    itemPedido: pedido.item,
    produto: pedido.produto,
    quantidade,
    quantidadeRecebida: recebidas,
    motivo,
    observacao,
    valorPago: decimal(quantidade * pedido.precoUnitario),
  })),
  recusa: devolucao.recusa,
  cancelamento: devolucao.cancelamento,
  observacoes: devolucao.observacoes.map((texto) => ({ texto })),
});

export const erro = ({ codigo, message }: ErroDeNegocio) => ({ erro: { codigo, mensagem: message } });

/** Returns the state of a receipt that is carried out later. */
export const protocolo = (protocol: NonNullable<ReturnType<Books['protocol']>>) => ({
  protocolo: protocol.protocolo,
  situacao: protocol.situacao,
  ...(protocol.erro && erro(protocol.erro)),
});

const wrong = (field: string): ErroDeNegocio => new ErroDeNegocio('CAMPO_INVALIDO', `O campo ${field} é inválido.`);

/** Returns a member that is a text. @throws {ErroDeNegocio} for any other value */
export const textIn = (body: Readonly<Record<string, unknown>>, field: string): string => {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw wrong(field);
  return value;
};

/** Returns an optional text as a member. @throws {ErroDeNegocio} for any other value */
export const optionalTextIn = <Field extends string>(
  body: Readonly<Record<string, unknown>>,
  field: Field,
): { [Name in Field]?: string } =>
  body[field] === undefined ? {} : ({ [field]: textIn(body, field) } as { [Name in Field]?: string });

/** Returns a member that is a whole number from 1. @throws {ErroDeNegocio} for any other value */
export const numberIn = (body: Readonly<Record<string, unknown>>, field: string): number => {
  const value = body[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) throw wrong(field);
  return value;
};

/** Returns a member that is a list of objects. @throws {ErroDeNegocio} for any other value */
export const listIn = (
  body: Readonly<Record<string, unknown>>,
  field: string,
): readonly Readonly<Record<string, unknown>>[] => {
  const value = body[field];
  if (!Array.isArray(value) || value.length === 0) throw wrong(field);
  return value as readonly Readonly<Record<string, unknown>>[];
};

/* The orders that the example service knows. They are invented, and the same at each start. */

export type ItemPedido = {
  readonly item: string;
  readonly produto: string;
  readonly quantidade: number;
  /** In centavos. */
  readonly precoUnitario: number;
};

export type Pedido = {
  readonly numero: string;
  readonly moeda: 'BRL';
  readonly cliente: {
    readonly nome: string;
    readonly email: string;
    readonly telefone: string;
    /** Opens the customer's account once. The service sends it with each return, as real ones do. */
    readonly senhaUnica: string;
  };
  readonly itens: readonly ItemPedido[];
};

/** The total in centavos above which the tax office looks at a return. */
export const limiteFiscal = 100_000;

const shirt: ItemPedido = { item: '1', produto: 'CAMISETA-M', quantidade: 2, precoUnitario: 5_990 };
const mug: ItemPedido = { item: '2', produto: 'CANECA-AZUL', quantidade: 1, precoUnitario: 3_405 };
const television: ItemPedido = { item: '3', produto: 'TELEVISOR-50', quantidade: 1, precoUnitario: 249_900 };

/** The number of the order with an expensive item. */
export const expensiveOrder = 'PED-9001';

const orderWith = (numero: string, itens: readonly ItemPedido[]): Pedido => ({
  numero,
  moeda: 'BRL',
  cliente: {
    nome: 'Joana Prado',
    email: `joana.${numero.toLowerCase()}@cliente.example`,
    telefone: '+55 11 5550-0100',
    senhaUnica: `senha-unica-${numero}`,
  },
  itens,
});

/** Returns the order with this number: `PED-1` and so on, and the expensive one. */
export const findOrder = (numero: string): Pedido | undefined => {
  if (numero === expensiveOrder) return orderWith(numero, [shirt, television]);
  return /^PED-[1-9]\d{0,3}$/.test(numero) ? orderWith(numero, [shirt, mug]) : undefined;
};

/** The reasons that the service knows. */
export const motivos = [
  { codigo: 'TAMANHO_PEQUENO', descricao: 'O tamanho é pequeno' },
  { codigo: 'TAMANHO_GRANDE', descricao: 'O tamanho é grande' },
  { codigo: 'DEFEITO', descricao: 'O produto tem um defeito' },
  { codigo: 'PRODUTO_ERRADO', descricao: 'O produto não é o que foi pedido' },
  { codigo: 'ARREPENDIMENTO', descricao: 'O cliente se arrependeu da compra' },
] as const;

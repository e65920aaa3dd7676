import type { Answer, Api } from './api.ts';
import { eur } from './orders.ts';
import { createReturn } from './scenario.ts';

/** Returns an exchange request for a larger shirt, which costs 2.00 more than the one in shops' orders. */
export const exchangeOf = (lineId: string | undefined, more: object = {}) => ({
  lineId,
  quantity: 1,
  newItem: { sku: 'SHIRT-L', quantity: 1, price: eur(1200) },
  ...more,
});

/** Creates an approved return of a new order, and an exchange request for one of its units. */
export const approvedExchange = async (api: Api, quantity = 1) => {
  const { id, order, answer } = await createReturn(api, quantity);
  await api.post(`/returns/${id}/approve`);
  const lineId = answer.body.lines[0]?.lineId;
  return { id, order, lineId, body: exchangeOf(lineId) };
};

/** Returns the id of the return's last exchange. */
export const exchangeIdIn = ({ body }: Answer): string => {
  const id = body.exchanges.at(-1)?.exchangeId;
  if (id === undefined) throw new Error(`no exchange: ${JSON.stringify(body)}`);
  return id;
};

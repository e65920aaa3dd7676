/*
 * Updates of orders and payments, as commercetools applies them: all actions of an update, or none.
 * https://docs.commercetools.com/api/projects/orders#update-actions
 */

/** An object of the API. */
export type Node = Record<string, unknown>;

export type UpdateRequest = { readonly version: number; readonly actions: readonly Node[] };

/** An update that was rejected, by the code of its error. */
export type Rejected = { readonly code: string; readonly currentVersion?: number };

const listIn = (node: Node, field: string): readonly Node[] => {
  const value = node[field];
  return Array.isArray(value) ? (value as Node[]) : [];
};

const itemsIn = (order: Node): readonly Node[] => listIn(order, 'returnInfo').flatMap((info) => listIn(info, 'items'));

/** The states of new items, with the payment states that they begin with. */
const firstPayment: Readonly<Record<string, string>> = { Advised: 'NonRefundable', Returned: 'Initial' };

type Context = { readonly nextId: (kind: string) => string; readonly now: string };

const addReturnInfo = (order: Node, action: Node, { nextId, now }: Context): Node | Rejected => {
  const drafts = listIn(action, 'items');
  const keys = [...itemsIn(order), ...drafts].flatMap(({ key }) => (key === undefined ? [] : [key]));
  if (new Set(keys).size < keys.length) return { code: 'DuplicateField' };
  if (drafts.length === 0 || drafts.some(({ shipmentState }) => firstPayment[String(shipmentState)] === undefined))
    return { code: 'InvalidOperation' };
  const items = drafts.map((draft) => ({
    ...draft,
    id: nextId('item'),
    paymentState: firstPayment[String(draft['shipmentState'])],
    createdAt: now,
    lastModifiedAt: now,
  }));
  return { ...order, returnInfo: [...listIn(order, 'returnInfo'), { items, returnDate: now }] };
};

/** Changes one item of the return infos of an order. */
const setItem = (order: Node, action: Node, change: (item: Node) => Node | undefined): Node | Rejected => {
  const { returnItemId, returnItemKey } = action;
  const isWanted = ({ id, key }: Node) => (returnItemId === undefined ? key === returnItemKey : id === returnItemId);
  const found = itemsIn(order).find(isWanted);
  const changed = found && change(found);
  if (changed === undefined) return { code: 'InvalidOperation' };
  return {
    ...order,
    returnInfo: listIn(order, 'returnInfo').map((info) => ({
      ...info,
      items: listIn(info, 'items').map((item) => (isWanted(item) ? changed : item)),
    })),
  };
};

const addTransaction = (payment: Node, { transaction }: Node, { nextId, now }: Context): Node => ({
  ...payment,
  transactions: [
    ...listIn(payment, 'transactions'),
    { id: nextId('transaction'), timestamp: now, ...(transaction as Node) },
  ],
});

const applyAction = (node: Node, action: Node, context: Context): Node | Rejected => {
  const { shipmentState, paymentState } = action;
  switch (action['action']) {
    case 'addReturnInfo':
      return addReturnInfo(node, action, context);
    case 'setReturnShipmentState':
      return setItem(node, action, (item) =>
        item['shipmentState'] === 'Returned' && (shipmentState === 'BackInStock' || shipmentState === 'Unusable')
          ? { ...item, shipmentState }
          : undefined,
      );
    case 'setReturnPaymentState':
      return setItem(node, action, (item) =>
        item['shipmentState'] === 'Advised' ? undefined : { ...item, paymentState },
      );
    case 'addTransaction':
      return addTransaction(node, action, context);
    default:
      return { code: 'InvalidInput' };
  }
};

const isRejected = (result: Node | Rejected): result is Rejected => typeof result['code'] === 'string';

/** Applies an update to an order or a payment. */
export const applyUpdate = (node: Node, { version, actions }: UpdateRequest, context: Context): Node | Rejected => {
  const current = Number(node['version']);
  if (version !== current) return { code: 'ConcurrentModification', currentVersion: current };
  let next = node;
  for (const action of actions) {
    const result = applyAction(next, action, context);
    if (isRejected(result)) return result;
    next = result;
  }
  return { ...next, version: current + 1, lastModifiedAt: context.now };
};

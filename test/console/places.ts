import { auditor, author, operator } from '../support/users.ts';
import { declareWithdrawal, inspectedReturn, makeEndpoint, makePolicy, requestReturn } from './shop.ts';
import type { Person } from './visit.ts';

/** A screen with data, for the checks that visit all of them. */
export type Place = { readonly name: string; readonly path: string; readonly person: Person };

/** Makes data for every screen, and returns the screens. */
export const places = async (text?: string): Promise<readonly Place[]> => {
  const texts = text === undefined ? {} : { texts: { title: text, sku: text, customer: text, note: text, tag: text } };
  const paid = await inspectedReturn(texts);
  const waiting = await requestReturn(texts);
  const withdrawalId = await declareWithdrawal({ name: text ?? 'Ada', contract: text ?? 'Order 1001' });
  const policyId = await makePolicy(text ?? 'Standard', text ?? 'A person decides.');
  const endpointId = await makeEndpoint();
  const order = `platform=${paid.order.platform}&orderId=${paid.order.orderId}`;
  const { body } = await paid.service.get(`/returns/${waiting.returnId}`);
  const { decisionId } = (body as unknown as { readonly decision?: { readonly decisionId?: string } }).decision ?? {};
  return [
    { name: 'queue', path: '/', person: operator },
    { name: 'return-requested', path: `/returns/${waiting.returnId}`, person: operator },
    { name: 'return-inspected', path: `/returns/${paid.returnId}`, person: author },
    { name: 'return-auditor', path: `/returns/${paid.returnId}`, person: auditor },
    { name: 'station', path: '/station', person: operator },
    { name: 'order', path: `/order?${order}`, person: operator },
    { name: 'history', path: `/history?returnId=${paid.returnId}`, person: auditor },
    ...(decisionId === undefined
      ? []
      : [{ name: 'decision', path: `/decisions/${decisionId}`, person: operator } as const]),
    { name: 'policies', path: '/policies', person: author },
    { name: 'policy', path: `/policies/${policyId}`, person: author },
    { name: 'withdrawals', path: '/withdrawals', person: operator },
    { name: 'withdrawal', path: `/withdrawals/${withdrawalId}`, person: operator },
    { name: 'inbox', path: '/inbox', person: author },
    { name: 'endpoints', path: '/endpoints', person: author },
    { name: 'endpoint', path: `/endpoints/${endpointId}`, person: author },
    { name: 'figures', path: '/figures', person: author },
    { name: 'health', path: '/health', person: author },
  ];
};

import { randomUUID } from 'node:crypto';
import { parkedDelivery } from '../support/deliveries.ts';
import { putIntent } from '../support/intents.ts';
import { stack } from '../support/stack.ts';
import { auditor, author, operator } from '../support/users.ts';
import {
  beginDraftOf,
  beginExport,
  declareWithdrawal,
  inspectedReturn,
  makeEndpoint,
  makePolicy,
  requestReturn,
} from './shop.ts';
import type { Person } from './visit.ts';

/** A screen with data, for the checks that visit all of them. */
export type Place = { readonly name: string; readonly path: string; readonly person: Person };

/** Makes data for every screen, and returns the screens. */
export const places = async (text?: string): Promise<readonly Place[]> => {
  const texts = text === undefined ? {} : { texts: { title: text, sku: text, customer: text, note: text, tag: text } };
  const paid = await inspectedReturn(texts);
  const seller = randomUUID();
  const policyId = await makePolicy(text ?? 'Standard', text ?? 'A person decides.', seller);
  const waiting = await requestReturn({ ...texts, seller });
  await beginDraftOf(policyId);
  const withdrawalId = await declareWithdrawal({ name: text ?? 'Ada', contract: text ?? 'Order 1001' });
  const [endpointId, jobId] = [await makeEndpoint(), await beginExport()];
  const deliveryKey = await parkedDelivery(stack(), 'standalone', { source: text ?? 'shop.example' });
  await putIntent(stack(), { order: paid.order, returnId: paid.returnId });
  const order = `platform=${paid.order.platform}&orderId=${paid.order.orderId}`;
  const { body } = await paid.service.get(`/returns/${waiting.returnId}`);
  const { decision } = body as unknown as { readonly decision: { readonly decisionId: string } };
  return [
    { name: 'queue', path: '/', person: operator },
    { name: 'return-requested', path: `/returns/${waiting.returnId}`, person: operator },
    { name: 'return-inspected', path: `/returns/${paid.returnId}`, person: author },
    { name: 'return-auditor', path: `/returns/${paid.returnId}`, person: auditor },
    { name: 'station', path: '/station', person: operator },
    { name: 'order', path: `/order?${order}`, person: operator },
    { name: 'customer', path: `/order/customer?${order}`, person: operator },
    { name: 'history', path: `/history?returnId=${paid.returnId}`, person: auditor },
    { name: 'decision', path: `/decisions/${decision.decisionId}`, person: operator },
    { name: 'policies', path: '/policies', person: author },
    { name: 'policy-text', path: '/policies/text?country=PT', person: operator },
    ...['versions', 'draft', 'cases', 'backtest', 'shadow', 'diff', 'publish'].map((tab) => ({
      name: `policy-${tab}`,
      path: `/policies/${policyId}?tab=${tab}`,
      person: author,
    })),
    { name: 'withdrawals', path: '/withdrawals', person: operator },
    { name: 'withdrawal', path: `/withdrawals/${withdrawalId}`, person: operator },
    { name: 'write-back', path: '/write-back', person: operator },
    { name: 'inbox', path: '/inbox', person: author },
    { name: 'delivery', path: `/inbox/${deliveryKey}`, person: author },
    { name: 'endpoints', path: '/endpoints', person: author },
    { name: 'endpoint', path: `/endpoints/${endpointId}`, person: author },
    { name: 'figures', path: '/figures', person: author },
    { name: 'health', path: '/health', person: author },
    { name: 'job', path: `/health/${jobId}`, person: author },
  ];
};

import { create, lives, register, send, steps, subjectOf } from '../../support/life.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import type { Answer, Api } from '../../support/api.ts';

/*
 * The story that fills a table for a recording of the stored layout: each usual life of a return, policies with a
 * decision, reasons, a withdrawal, a webhook endpoint and a refund that was paid outside.
 */

const expectSuccess = (answer: Answer, what: string): Answer => {
  const { status, body } = answer;
  if (status < 300) return answer;
  throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
};

/** Plays a life of a return, and returns the paths that read it. */
const live = async (service: Api, serial: string, life: (typeof lives)[number]): Promise<readonly string[]> => {
  const order = { platform: 'web', orderId: serial };
  expectSuccess(await send(service, register(order, 4), serial), 'registerOrder');
  let subject = subjectOf(order, expectSuccess(await send(service, create(order, 2, serial), serial), 'createReturn'));
  for (const [index, step] of life.entries()) {
    const key = `${serial}-${index}`;
    expectSuccess(await send(service, steps[step](subject, key), key), step);
    subject = subjectOf(order, await service.get(`/returns/${subject.returnId}`));
  }
  const path = `/returns/${subject.returnId}`;
  return [path, `${path}/history`, `${path}/history/verification`, `/orders/web/${serial}`];
};

const rules = [
  { id: 'window', phase: 'window', text: 'Ten years.', window: { anchor: 'placed', days: 3650 } },
  { id: 'approval', phase: 'approval', text: 'A person decides.', approval: 'manual' },
];

const policies = async (service: Api): Promise<readonly string[]> => {
  const { body } = expectSuccess(
    await service.post('/policies', {
      name: 'Standard',
      document: { rules, selectors: { sellers: ['northfold'] } },
    }),
    'createPolicy',
  );
  const path = `/policies/${body.policyId}`;
  expectSuccess(await service.post(`${path}/publish`, {}, { headers: { 'if-match': '"1"' } }), 'publish');
  return [path, `${path}/versions`, `${path}/versions/1`];
};

/** A return that a policy decides. */
const decided = async (service: Api): Promise<readonly string[]> => {
  const order = { platform: 'web', orderId: 'decided' };
  expectSuccess(await send(service, register(order, 1, { seller: 'northfold' }), 'decided'), 'registerOrder');
  const created = expectSuccess(await send(service, create(order, 1, 'decided'), 'decided'), 'createReturn');
  const { returnId, decision } = created.body as unknown as Output<'createReturn'>;
  return [`/returns/${returnId}`, `/decisions/${decision?.decisionId ?? 'none'}`];
};

/** A return of another system. */
const imported = async (service: Api): Promise<readonly string[]> => {
  const { body } = expectSuccess(
    await service.put('/imports/loop/returns/58211', {
      status: 'rejected',
      requestedAt: '2026-11-10T08:00:00.000Z',
      order: { platform: 'web', orderId: 'life-2' },
      lines: [{ orderLineId: '12', quantity: 1, reason: { code: 'fit.too_small' } }],
    }),
    'importReturn',
  );
  const path = `/returns/${body.returnId}`;
  return [path, `${path}/history`, `${path}/history/verification`];
};

const withdrawal = async (service: Api): Promise<readonly string[]> => {
  const declared = expectSuccess(
    await service.post('/withdrawals', {
      name: 'Ada Marker',
      email: 'marker-ada@example.com',
      contract: '#1001',
      language: 'en',
    }),
    'declareWithdrawal',
  );
  const { withdrawalId } = declared.body as unknown as { readonly withdrawalId: string };
  const path = `/withdrawals/${withdrawalId}`;
  return [path, `${path}/history`, `${path}/history/verification`, `${path}/receipt`];
};

const reason = {
  labels: { en: 'It smells' },
  fault: 'merchant',
  noteRequired: false,
  evidenceRequired: false,
  resolutions: ['refund'],
  active: true,
};

/** Fills a table, and returns the paths that read what it holds. */
export const tellStory = async (service: Api): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (const [index, life] of lives.entries()) paths.push(...(await live(service, `life-${index}`, life)));
  expectSuccess(
    await service.put('/reasons/quality.smells', reason, { headers: { 'if-none-match': '*' } }),
    'putReason',
  );
  paths.push('/reasons', ...(await policies(service)), ...(await decided(service)));
  paths.push(...(await imported(service)), ...(await withdrawal(service)));
  const endpoint = { url: 'https://hooks.example.com/returns', eventTypes: ['return.*'] };
  const { body } = expectSuccess(await service.post('/webhook-endpoints', endpoint), 'createWebhookEndpoint');
  return [...paths, `/webhook-endpoints/${body.endpointId}`];
};

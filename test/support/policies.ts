import { randomUUID } from 'node:crypto';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer, Api } from './api.ts';

/** Returns a valid policy for the orders of one seller. By default no other test has this seller. */
export const documentFor = (seller: string = randomUUID(), days = 30, more: object = {}) => ({
  selectors: { sellers: [seller] },
  rules: [
    { id: 'window', phase: 'window', text: `${days} days`, window: { anchor: 'delivered', days } },
    { id: 'all', phase: 'approval', text: 'A person reviews all of them', approval: 'manual' },
  ],
  ...more,
});

/** Returns the version of a policy in a response. */
export const versionIn = ({ body }: Answer) => body as unknown as Output<'getVersion'>;

/** Creates a policy with a draft. */
export const createPolicy = async (service: Api, document: object = documentFor(), name = 'Standard') => {
  const created = await service.post('/policies', { name, document });
  if (created.status !== 201) throw new Error(`policy not created: ${JSON.stringify(created.body)}`);
  const { policyId } = versionIn(created);
  return { policyId, path: `/policies/${policyId}`, created };
};

export const beginDraft = { headers: { 'if-none-match': '*' } };
export const ifRevision = (revision: number) => ({ headers: { 'if-match': `"${revision}"` } });

/** Creates a policy whose first version is published. */
export const publishedPolicy = async (service: Api, document: object = documentFor(), name = 'Standard') => {
  const created = await createPolicy(service, document, name);
  const published = await service.post(`${created.path}/publish`);
  if (published.status !== 200) throw new Error(`policy not published: ${JSON.stringify(published.body)}`);
  return { ...created, published };
};

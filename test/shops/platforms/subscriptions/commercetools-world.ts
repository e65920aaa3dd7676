import { startProject } from '../../../../lib/tools/local/shops/commercetools/project.ts';
import { putEntry } from './subscription-world.ts';

/** Starts a commercetools project without subscriptions. */
export const startCommercetoolsWorld = async () => {
  const key = 'acme-prod';
  const project = await startProject(0, [key]);
  putEntry(key, project.entry());
  const { state, requests } = project;
  const changeAll = (change: object) => {
    for (const [id, subscription] of state.subscriptions) state.subscriptions.set(id, { ...subscription, ...change });
  };
  const destinationOf = (name: string) => ({
    type: 'SQS',
    queueUrl: `https://sqs.eu-central-1.amazonaws.com/123456789012/${name}`,
    region: 'eu-central-1',
    authenticationMode: 'IAM',
  });
  return {
    ...project,
    source: key,
    address: 'arn:aws:sqs:eu-central-1:123456789012:returns-events',
    formerAddress: 'arn:aws:sqs:eu-central-1:123456789012:former-events',
    failWrite: (fault: 'answer_lost' | 'throttled') =>
      void state.faults.push(fault === 'answer_lost' ? 'cut_after' : fault),
    deny: () => void state.failures.push(...Array.from({ length: 20 }, () => ({ status: 403, body: '{}' }))),
    writes: () => requests.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token').length,
    addresses: () =>
      [...state.subscriptions.values()].map(({ destination }) => (destination as { queueUrl: string }).queueUrl),
    moveAll: (address: string) => changeAll({ destination: destinationOf(address.split(':')[5] ?? '') }),
    disableAll: () => changeAll({ status: 'ConfigurationErrorDeliveryStopped' }),
    removeAll: () => state.subscriptions.clear(),
  };
};

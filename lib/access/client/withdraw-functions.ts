import { withdrawFunctionsConfig } from '../../runtime/configuration/edge-config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import type { Secret } from '../secrets/secret.ts';
import { type ReadOptions, secretsManager, sourceOf } from '../secrets/source.ts';
import { invokedOperation } from './invoked-operation.ts';

/*
 * What the page for withdrawals reaches: the functions of two operations, and its own key. The page is public, so its
 * role has no right to the table, to the keys of receipts and histories, or to the client secret.
 */

const config = configured(withdrawFunctionsConfig);

const connections = perContainer(() => {
  const client = secretsManager();
  return { client, endpoint: config().endpoint, secrets: sourceOf(client) };
});

/** The operations of the page, which their functions run. */
export const withdrawFunctions = {
  declareWithdrawal: invokedOperation(connections, {
    name: 'declareWithdrawal',
    arnOf: () => config().declareWithdrawalArn,
    isRead: false,
  }),
  getWithdrawalReceipt: invokedOperation(connections, {
    name: 'getWithdrawalReceipt',
    arnOf: () => config().getWithdrawalReceiptArn,
    isRead: true,
  }),
} as const;

/** Reads the key with which the page signs its checks and references. */
export const readWithdrawKey = async (options: ReadOptions): Promise<Secret> =>
  connections().secrets.read(config().signingSecretId, options);

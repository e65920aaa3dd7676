import { policyTextFunctionConfig } from '../../runtime/configuration/edge-config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { secretsManager } from '../secrets/source.ts';
import { invokedOperation } from './invoked-operation.ts';

/*
 * The only thing that the public address of the policy reaches. Its role has no right to the table or to a secret. The
 * client of Secrets Manager only has the credentials and the connections.
 */

const config = configured(policyTextFunctionConfig);

const connections = perContainer(() => ({ client: secretsManager(), endpoint: config().endpoint }));

/** Reads what a customer may rely on, which the function of the operation does. */
export const getPolicyText = invokedOperation(connections, {
  name: 'getPolicyText',
  arnOf: () => config().getPolicyTextArn,
  isRead: true,
});

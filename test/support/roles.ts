import { deploy, type Deployment } from '../../lib/tools/template/cloudformation/deployment.ts';
import { functionSpecs } from '../../lib/tools/local/emulators/functions.ts';
import { identitiesOf, type Identity } from '../../lib/tools/local/emulators/identities.ts';
import type { Permission } from '../../lib/tools/local/emulators/policy.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from './bundles.ts';

const origin = 'https://nowhere.invalid';
const parameters = {
  TokenIssuer: origin,
  TokenAudience: 'unused',
  ServiceUrl: origin,
  AuthUrl: origin,
  ClientSecretId: 'returns/client',
  // The parameters with the maximum permissions of a role.
  SharedToken: 'on',
  HistoryAnchors: 'on',
  CustomerSearch: 'on',
  WriteBack: 'shopify',
  MailSender: 'returns@shop.example',
  Mcp: 'on',
  WebApi: 'on',
  WithdrawPage: 'on',
  PublicPolicy: 'on',
  Console: 'on',
  ConsoleAudience: 'console',
  ConsoleClients: 'console',
  ClientSecretRotationDays: '30',
  RotationHookArn: 'arn:aws:lambda:eu-central-1:000000000000:function:rotation-hook',
  KeyRotationDays: '30',
  TokenAuthorizer: 'function',
};

/** Parameters of a stage. An undefined one has the default of the template. */
export type Parameters = Readonly<Record<string, string | undefined>>;

const isSet = (entry: readonly [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

const deployed = async (mode: Mode, changes: Parameters): Promise<Deployment> =>
  deploy(await packagedTemplate(mode), {
    mode,
    parameters: Object.fromEntries(Object.entries({ ...parameters, ...changes }).filter(isSet)),
    sqs: origin,
  });

/** By mode and changes. A deployment resolves each resource of the template once. */
const deployments = new Map<string, Promise<Deployment>>();

/** Returns a mode as it was packaged, with the ARNs of the local stack. */
export const packaged = async (mode: Mode, changes: Parameters = {}): Promise<Deployment> => {
  const key = JSON.stringify([mode, Object.entries(changes)]);
  const deployment = deployments.get(key) ?? deployed(mode, changes);
  deployments.set(key, deployment);
  return deployment;
};

/** Returns the functions of a mode with the permissions of their roles. */
export const identities = async (mode: Mode): Promise<readonly Identity[]> => {
  const deployment = await packaged(mode);
  return [...identitiesOf(deployment, functionSpecs(deployment)).values()];
};

export const isLogging = ({ action }: Permission): boolean => action.startsWith('logs:');

/** Returns the permissions of a function's role. */
export const permissionsIn = async (mode: Mode, name: string): Promise<readonly Permission[]> =>
  (await identities(mode)).find((one) => one.function === name)?.permissions ?? [];

/** Returns the ARN of a mode's table. */
export const tableOf = (mode: Mode): string => `arn:aws:dynamodb:eu-central-1:000000000000:table/returns-${mode}-Table`;

import { deploy, type Deployment } from '../../lib/local/cloudformation/deployment.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { identitiesOf, type Identity } from '../../lib/local/emulators/identities.ts';
import type { Permission } from '../../lib/local/emulators/policy.ts';
import { readTemplate } from '../../lib/local/cloudformation/template.ts';
import type { Mode } from './stack.ts';

const origin = 'https://nowhere.invalid';
const parameters = {
  TokenIssuer: origin,
  TokenAudience: 'unused',
  ServiceUrl: origin,
  AuthUrl: origin,
  ClientSecretId: 'returns/client',
  // All that a role may ever permit.
  SharedToken: 'on',
  HistoryAnchors: 'on',
  WebApi: 'on',
};

/** A mode as it was packaged, its ARNs those of the local stack. */
export const packaged = async (mode: Mode, changes: Readonly<Record<string, string>> = {}): Promise<Deployment> =>
  deploy(await readTemplate(`dist/package/${mode}/cloudformation-template-update-stack.json`), {
    mode,
    parameters: { ...parameters, ...changes },
    sqs: origin,
  });

/** The functions of a mode with what their roles permit. */
export const identities = async (mode: Mode): Promise<readonly Identity[]> => {
  const deployment = await packaged(mode);
  return [...identitiesOf(deployment, functionSpecs(deployment)).values()];
};

export const isLogging = ({ action }: Permission): boolean => action.startsWith('logs:');

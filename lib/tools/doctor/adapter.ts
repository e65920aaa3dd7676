import { health, listReturns } from '#backend';
import type { Backend, Call } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deploymentSettings, serviceSettings } from '../../runtime/configuration/deployment-settings.ts';
import { type Check, failed, type Part, passed } from './check.ts';
import { accessPart, type CheckService } from './checks/access.ts';
import { storeClient } from './checks/deployment.ts';
import { tablePart } from './checks/table-shape.ts';
import type { DoctorInput } from './mode.ts';

/* The doctor of a deployment with an adapter: it reads by the mappings that the functions use. */

/** An adapter may offer no list. */
const offered: Partial<Pick<Backend, 'health' | 'listReturns'>> = { health, listReturns };

const remedies: Readonly<Partial<Record<Failure['code'], string>>> = {
  dependency_refused:
    'The service answers otherwise than the adapter expects. Compare the place with its description, change the mapping, and run npm run conform.',
  dependency_unavailable:
    'Check the address of the service, its network and its logs. The parameters ServiceUrl and ServicePath give the address.',
  timeout: 'Check the network to the service, and its logs.',
};

const rowOf = (name: string, request: string, result: Result<unknown>): Check => {
  if (result.ok) return passed(name, `${request} answered, and the answer fits the core`);
  const { code, errors: [first] = [] } = result.failure;
  const place = first === undefined ? '' : `: ${first.path || 'the body'} ${first.message}`;
  return failed(name, `${request} failed with ${code}${place}`, remedies[code] ?? 'Read the log of this function.');
};

const checkService: CheckService = async ({ traceId, end }) => {
  const call: Call = {
    caller: { clientId: 'doctor', scopes: ['returns:read'] },
    dryRun: false,
    traceId,
    causationId: traceId,
    deadline: end,
  };
  const probed = await offered.health?.({}, call);
  const listed = await offered.listReturns?.({ limit: 1 }, call);
  return [
    ...(probed === undefined ? [] : [rowOf('API', 'the probe of the adapter', probed)]),
    ...(listed === undefined ? [] : [rowOf('API read', 'listReturns', listed)]),
  ];
};

/** The parts of a deployment with an adapter: the access to the service, and the table of the journal. */
export const partsOf = ({ source, deployed }: DoctorInput): readonly Part[] => {
  const { tableName, emulated } = deploymentSettings();
  return [
    accessPart({ settings: serviceSettings(), source, service: { rows: ['API', 'API read'], check: checkService } }),
    tablePart({ mode: 'connected', tableName, emulated, deployed, client: new DynamoDBClient(storeClient) }),
  ];
};

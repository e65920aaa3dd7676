import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getReturn } from '../../../lib/contract/operations.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import {
  alternative,
  bareDispatch,
  bareRequest,
  connectedPackages,
  connectedPeers,
  ours,
  type Candidate,
} from '../candidates.ts';
import type { Driver } from '../driver.ts';
import { measureWarm, type WarmScenario } from '../measure-warm.ts';
import type { Environment, Outside } from '../outside.ts';
import { startAway, startBeside } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { eventOf } from '../requests.ts';
import { roundsText, type Bed, type Bench, type Section } from '../settings.ts';
import { event, floor, own } from '../token/candidates.ts';
import { createReturn, registerOrder } from './requests.ts';

/**
 * Creates the return to read with our own functions, also for the bare candidate. The Returns Service then answers
 * with its body.
 *
 * @returns its id
 */
const prepareReturn = async (environment: Environment): Promise<{ readonly id: string; readonly body: string }> => {
  await using driver = startBeside<Driver>('driver.ts', { environment });
  await driver.call('invoke', registerOrder);
  const { returnId: id } = (await driver.call('invoke', createReturn)) as { readonly returnId: string };
  const body = await driver.call('invoke', { operation: 'getReturn', path: { returnId: id } });
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  await client.send(new PutCommand({ TableName: TABLE_NAME, Item: { pk: `BARE#${id}`, sk: 'RETURN', body } }));
  client.destroy();
  return { id, body: JSON.stringify(body) };
};

/** The least that a read takes in each mode. The first one is the baseline. */
const floors: Readonly<Record<Mode, readonly Candidate[]>> = {
  connected: [bareDispatch, bareRequest],
  standalone: [alternative('bare', 'bare-item/get-return'), alternative('bare, four', 'bare-item/get-whole-return')],
};

/** Starts what both modes call, with a return to read, and returns the read of each mode by ours and by its floors. */
export const openReads = async ({ held }: Bed) => {
  const outside = held.use(startAway<Outside>('outside.ts'));
  const environments = await outside.call('deployed', { modes: ['connected', 'standalone'] });
  const { id, body } = await prepareReturn(environments.standalone);
  await outside.call('answerWith', body);
  const scenarioOf = (mode: Mode): WarmScenario => ({
    title: `${mode} getReturn`,
    event: eventOf(getReturn, { path: { returnId: id } }),
    candidates: [...floors[mode], ours(mode, 'getReturn')],
    metrics: ['CPU us', 'p50 us', 'p99 us'],
  });
  const reads = { connected: scenarioOf('connected'), standalone: scenarioOf('standalone') };
  return { environments, reads };
};

/** Measures the warm path of the built functions, and of the minimum with the same effect. */
export const warm: Bench = {
  summary: 'the warm path of getReturn, both modes',
  packages: ['undici', '@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 10, invocations: 120, seed: 1 },
  describe: roundsText,
  run: async (bed) => {
    const { environments, reads } = await openReads(bed);
    const sections: Section[] = [];
    for (const mode of ['connected', 'standalone'] as const) {
      bed.report(mode);
      const placement = { environment: environments[mode] };
      sections.push(comparisonSection(await measureWarm(reads[mode], placement, bed.settings)));
    }
    return sections;
  },
};

/** Measures the time and CPU of a call with an available token, and the memory. */
export const tokenWarm: Bench = {
  summary: 'the warm path of the connected getReturn: CPU, time and memory',
  packages: connectedPackages,
  // V8 compiles functions of ours until call 25,000, of bare until 18,000 (--trace-opt): the warm-up is longer.
  // Rounds differ by a fifth: a hundred of them give the median to 2 or 3 %.
  defaults: { rounds: 101, warmUp: 130, invocations: 200, seed: 1 },
  describe: roundsText,
  run: async ({ settings, held }) => {
    const environment = await held.use(startAway<Outside>('outside.ts')).call('connected', 'near');
    const scenario: WarmScenario = {
      title: 'connected getReturn, warm',
      event,
      candidates: [floor, bareDispatch, own, ...connectedPeers],
      metrics: ['CPU us', 'p50 us', 'RSS MB'],
    };
    const to = [floor.name];
    return [
      comparisonSection(await measureWarm(scenario, { environment }, settings), [
        { what: 'CPU per call x bare', metric: 'CPU us', to, maximum: 1.1, stretch: 1 },
        { what: 'p50 x bare', metric: 'p50 us', to, maximum: 1.1 },
        { what: 'RSS x bare', metric: 'RSS MB', to, maximum: 0.6 },
      ]),
    ];
  },
};

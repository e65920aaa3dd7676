import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { bundleAlternatives } from '../bundle.ts';
import { connectedPackages, ours } from '../candidates.ts';
import type { EventText } from '../container.ts';
import { measureWarm, startContainer, type Placement } from '../measure-warm.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench, type Section } from '../settings.ts';
import type { Outside } from './outside.ts';
import * as scenarios from './scenarios.ts';

/** Invokes a function of ours once and returns its body. */
const invokeOnce = async (operation: string, event: EventText, placement: Placement): Promise<string> => {
  await using container = await startContainer(ours('standalone', operation), placement);
  const { statusCode, body } = await container.call('invoke', { event });
  if (statusCode >= 300) throw new Error(`${operation} answered ${statusCode}: ${body}`);
  return body;
};

/**
 * Creates the return to read with our own functions, also for the bare candidate.
 * The Returns Service then answers with their bodies.
 * @returns the id of the return
 */
export const prepareReturn = async (outside: Remote<Outside>, placement: Placement): Promise<string> => {
  await invokeOnce('registerOrder', scenarios.registerOrder, placement);
  const createReturn = await invokeOnce('createReturn', scenarios.createReturn, placement);
  const { returnId: id } = JSON.parse(createReturn) as { returnId: string };
  const getReturn = await invokeOnce('getReturn', scenarios.getReturn(id), placement);
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = placement.environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const item = { pk: `BARE#${id}`, sk: 'RETURN', body: JSON.parse(getReturn) as unknown };
  await client.send(new PutCommand({ TableName: TABLE_NAME, Item: item }));
  client.destroy();
  await outside.call('answerWith', { getReturn, createReturn });
  return id;
};

/** Measures the warm path of the built functions, of the minimum with the same effect, and of common stacks. */
export const warm: Bench = {
  summary: 'the warm path of getReturn and createReturn, both modes',
  packages: [...connectedPackages, '@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 10, invocations: 120, seed: 1 },
  describe: roundsText,
  run: async (settings, report) => {
    report('building');
    await buildAndPackage();
    await bundleAlternatives();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('warm/outside.ts', { environment: process.env, cpu: outsideCpu });
    const environments = await outside.call('start', null);
    const returnId = await prepareReturn(outside, { environment: environments.standalone, cpu });
    const sections: Section[] = [];
    for (const { mode, ...scenario } of scenarios.scenariosOf(returnId)) {
      report(scenario.title);
      const measured = { ...scenario, metrics: ['CPU us', 'p50 us', 'p99 us'] };
      sections.push(comparisonSection(await measureWarm(measured, { environment: environments[mode], cpu }, settings)));
    }
    return sections;
  },
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { buildAndPackage } from '../../lib/local/build.ts';
import { bundleOf, bundlePeers } from './bundle-peers.ts';
import type { Container, EventText } from './container.ts';
import { interleave, seeded } from './interleave.ts';
import type { Environment, Outside } from './outside.ts';
import { startRemote, twoCpus, type Remote } from './remote.ts';
import { demandSameAnswer } from './same-answer.ts';
import type { Bench, Settings } from './settings.ts';
import { compare, type Comparison } from './statistics.ts';
import * as scenarios from './warm-scenarios.ts';
import type { Scenario, Subject } from './warm-scenarios.ts';

type Place = { readonly environment: Environment; readonly cpu: number | undefined };

const codeOf = (subject: Subject, way: Scenario['way']) =>
  'peer' in subject
    ? { file: bundleOf(subject.peer), exported: subject.exported }
    : { file: `dist/${way}/${subject.function}/index.mjs`, exported: 'handler' };

const startContainer = ({ environment, cpu }: Place) => startRemote<Container>('container.ts', { environment, cpu });

/** Invokes a function of ours once and answers with its body. */
const invokeOnce = async (name: string, event: EventText, place: Place): Promise<string> => {
  await using container = startContainer(place);
  await container.call('load', codeOf({ name, function: name }, 'standalone'));
  const { statusCode, body } = await container.call('invoke', { event });
  if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}: ${body}`);
  return body;
};

/**
 * Makes the return that is read, by our own functions, for the bare candidate too; and has the Returns Service answer as
 * they did.
 *
 * @returns the id of the return
 */
const prepare = async (outside: Remote<Outside>, place: Place): Promise<string> => {
  await invokeOnce('registerOrder', scenarios.registerOrder, place);
  const createReturn = await invokeOnce('createReturn', scenarios.createReturn, place);
  const { id } = JSON.parse(createReturn) as { id: string };
  const getReturn = await invokeOnce('getReturn', scenarios.getReturn(id), place);
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = place.environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const item = { pk: `BARE#${id}`, sk: 'RETURN', body: JSON.parse(getReturn) as unknown };
  await client.send(new PutCommand({ TableName: TABLE_NAME, Item: item }));
  client.destroy();
  await outside.call('answerWith', { getReturn, createReturn });
  return id;
};

const measure = async (scenario: Scenario, place: Place, settings: Settings): Promise<Comparison> => {
  const { title, way, event, status, visible, subjects } = scenario;
  await using containers = new AsyncDisposableStack();
  const candidates = [];
  const answers = [];
  for (const subject of subjects) {
    const container = containers.use(startContainer(place));
    await container.call('load', codeOf(subject, way));
    answers.push({ candidate: subject.name, answer: await container.call('invoke', { event }) });
    const round = { event, status, invocations: settings.invocations };
    candidates.push({ name: subject.name, measure: () => container.call('round', round) });
  }
  demandSameAnswer(status, answers, visible);
  const measured = await interleave(candidates, { ...settings, random: seeded(settings.seed) });
  return compare(title, 'bare', measured);
};

/** The warm path through the built functions, beside the least that could do the same and beside common stacks. */
export const warm: Bench = {
  summary: 'the warm path of getReturn and createReturn, both ways',
  packages: ['undici', '@middy/core', 'simple-oauth2', 'axios', 'openid-client', '@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 15, warmUp: 10, invocations: 120, seed: 1 },
  run: async (settings, tell) => {
    tell('building');
    await buildAndPackage();
    await bundlePeers([...scenarios.connectedPeers, ...scenarios.standalonePeers]);
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('outside.ts', { environment: process.env, cpu: outsideCpu });
    const environments = await outside.call('start', null);
    const returnId = await prepare(outside, { environment: environments.standalone, cpu });
    const comparisons: Comparison[] = [];
    for (const scenario of scenarios.scenariosOf(returnId)) {
      tell(scenario.title);
      comparisons.push(await measure(scenario, { environment: environments[scenario.way], cpu }, settings));
    }
    return comparisons;
  },
};

import { PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { backtestOutcome, type BacktestOutcome } from '../../../lib/domain/policies/backtest/outcome.ts';
import { addOutcome, emptyReport } from '../../../lib/domain/policies/backtest/report.ts';
import type { StoredDecision } from '../../../lib/domain/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import type { PolicyDocument } from '../../../lib/domain/policies/lifecycle/golden.ts';
import { standardPolicy } from '../../../lib/domain/policies/templates/standard.ts';
import { decisionPartition } from '../../../lib/store/engine/keys.ts';
import { pack, unpack } from '../../../lib/store/engine/pack.ts';
import { decisionPartitionCount, writeDecision } from '../../../lib/store/policies/decisions.ts';
import { writeCatalogue, writePolicyVersion } from '../../../lib/store/policies/policies.ts';
import { factsAfter, millisecondsOfDay, storedDecision } from '../../service/jobs/seed.ts';
import { itemIn } from '../service/items.ts';
import { writeAll } from '../write-all.ts';

const policyId = 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0';
const actor = { clientId: 'bench' };
/** The days of the decisions, and those whose decisions the phases read. */
const [days, readDays] = [300, 60];
const pages = 200;

/** The standard policy with windows of half as many days. */
const shortened: PolicyDocument = {
  ...standardPolicy,
  goldenCases: [],
  rules: standardPolicy.rules.map((rule) =>
    'window' in rule ? { ...rule, window: { ...rule.window, days: Math.ceil(rule.window.days / 2) } } : rule,
  ),
};

/** Returns the items of a policy with a published version and a draft, and of its decisions. */
function* itemsOf(decisions: number, now: number) {
  const at = new Date(now - (days + 10) * millisecondsOfDay).toISOString();
  const saved = { createdAt: at, createdBy: actor, updatedAt: at, updatedBy: actor, savedBy: [actor] };
  const head = { policyId, ...saved, revision: 1 };
  const policy = { id: policyId, name: 'Standard', revision: 1, createdAt: at, updatedAt: at, latest: 2, draft: true };
  const published = [{ version: 1, effectiveFrom: at }];
  yield* itemIn(writeCatalogue({ version: 1, policies: [{ ...policy, published }] }));
  const first = { head: { ...head, version: 1, published: { at, by: actor } }, document: standardPolicy };
  yield* itemIn(writePolicyVersion(first));
  yield* itemIn(writePolicyVersion({ head: { ...head, version: 2 }, document: shortened }));
  const step = Math.floor((days * millisecondsOfDay) / decisions);
  const version = { policyId, version: 1, document: standardPolicy };
  for (let number = 1; number <= decisions; number += 1)
    yield* itemIn(writeDecision(storedDecision(version, factsAfter((number % 40) + 1, now - number * step))));
}

/** Fills a table with a policy, a draft of it and this number of decisions. Returns the id of the policy. */
export const seedDecisions = async (
  client: DynamoDBDocumentClient,
  table: string,
  decisions: number,
): Promise<string> => {
  await writeAll(client, table, itemsOf(decisions, Date.now()));
  return policyId;
};

type Packed = { readonly value: string | Uint8Array };

const timed = async <Value>(work: () => Value | Promise<Value>) => {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
};

/** Measures each step of a worker separately, in microseconds per decision. */
export const phasesOf = async (
  client: DynamoDBDocumentClient,
  table: string,
): Promise<Readonly<Record<string, number>>> => {
  const day = (back: number) => new Date(Date.now() - back * millisecondsOfDay).toISOString().slice(0, 10);
  const partitions = Array.from({ length: readDays }, (_, back) =>
    Array.from({ length: decisionPartitionCount }, (__, shard) => decisionPartition(day(back + 1), shard)),
  ).flat();
  const read = await timed(async () => {
    const items: Packed[] = [];
    for (const pk of partitions) {
      const condition = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
      const { Items = [] } = await client.send(new QueryCommand({ TableName: table, ...condition }));
      items.push(...(Items as Packed[]));
    }
    return items;
  });
  const unpacked = await timed(() => read.value.map(({ value }) => unpack(value) as StoredDecision));
  const compiled = compilePolicy(standardPolicy);
  const outcomes = await timed(() =>
    unpacked.value.map((stored): BacktestOutcome => backtestOutcome(stored, compiled, compiled)),
  );
  const folded = await timed(() => outcomes.value.reduce(addOutcome, emptyReport));
  const written = await timed(async () => {
    for (let page = 0; page < pages; page += 1)
      await client.send(
        new PutCommand({ TableName: table, Item: { pk: 'BENCH', sk: 'PART', value: pack(folded.value) } }),
      );
  });
  const count = read.value.length;
  const each = ({ ms }: { readonly ms: number }, of = count) => (1000 * ms) / of;
  return {
    read: each(read),
    unpack: each(unpacked),
    'evaluate both, check the digest': each(outcomes),
    fold: each(folded),
    'write, by page of a day': each(written, (pages * count) / partitions.length),
  };
};

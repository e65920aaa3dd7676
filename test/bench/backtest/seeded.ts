import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { standardPolicy } from '../../../lib/policies/templates/standard.ts';
import type { PolicyDocument } from '../../../lib/policies/life/golden.ts';
import { writeDecision } from '../../../lib/store/policies/decisions.ts';
import { writeCatalogue, writePolicyVersion } from '../../../lib/store/policies/policies.ts';
import type { Write } from '../../../lib/store/engine/transact.ts';
import { factsAfter, storedDecision, millisecondsOfDay } from '../../jobs/seed.ts';

const policyId = 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0';
const actor = { clientId: 'bench' };
const batch = 25;
const parallel = 4;
const days = 300;

/** The standard policy with windows of half as many days. */
const shortened: PolicyDocument = {
  ...standardPolicy,
  goldenCases: [],
  rules: standardPolicy.rules.map((rule) =>
    'window' in rule ? { ...rule, window: { ...rule.window, days: Math.ceil(rule.window.days / 2) } } : rule,
  ),
};

/** Returns the items of a policy with a published version and a draft, and of its decisions. */
function* items(decisions: number, now: number): Generator<Write> {
  const at = new Date(now - (days + 10) * millisecondsOfDay).toISOString();
  const head = { policyId, createdAt: at, createdBy: actor, updatedAt: at, updatedBy: actor, revision: 1 };
  const policy = { id: policyId, name: 'Standard', revision: 1, createdAt: at, updatedAt: at, latest: 2, draft: true };
  const published = [{ version: 1, effectiveFrom: at }];
  yield writeCatalogue({ version: 1, policies: [{ ...policy, published }] });
  yield writePolicyVersion({ head: { ...head, version: 1, published: { at, by: actor } }, document: standardPolicy });
  yield writePolicyVersion({ head: { ...head, version: 2 }, document: shortened });
  const step = Math.floor((days * millisecondsOfDay) / decisions);
  for (let number = 1; number <= decisions; number += 1)
    yield writeDecision(
      storedDecision(
        { policyId, version: 1, document: standardPolicy },
        factsAfter((number % 40) + 1, now - number * step),
      ),
    );
}

/** Fills a table with a policy, a draft of it and this number of decisions. Returns the id of the policy. */
export const seed = async (client: DynamoDBDocumentClient, table: string, decisions: number): Promise<string> => {
  const all = items(decisions, Date.now());
  const work = async (): Promise<void> => {
    for (;;) {
      const some = Array.from({ length: batch }, () => all.next().value).filter((write) => write instanceof Object);
      if (some.length === 0) return;
      const requests = some.map(({ action }) => ({ PutRequest: { Item: action.Put?.Item } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items out');
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return policyId;
};

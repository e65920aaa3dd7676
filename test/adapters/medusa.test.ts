import { describe, expect, it } from 'vitest';
import type { OrderChange, OrderChanges } from '../../lib/adapters/medusa/service.ts';
import { type RecordedExchange, readRecordings, recordingsFolder } from '../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../lib/tools/conform/replay-recordings.ts';
import { readAdapter } from '../../lib/tools/template/adapters/read-adapter.ts';

/* What a recording cannot have: a change of an order that was begun just now. */

const isListOfChanges = ({ request }: RecordedExchange): boolean => request.path.endsWith('/changes');

/** Returns the exchange with our change as it is while Medusa confirms it. */
const inProgress = ({ request, answer }: RecordedExchange): RecordedExchange => {
  if (answer === 'lost') throw new Error('the list has no answer');
  const { order_changes } = answer.body as OrderChanges;
  const ours = order_changes.at(-1) as OrderChange;
  const pending = { ...ours, status: 'pending', created_at: new Date().toISOString() };
  return { request, answer: { status: 200, body: { order_changes: [...order_changes.slice(0, -1), pending] } } };
};

describe.each(['createReturn', 'receive'])('%s of medusa', (operation) => {
  it('waits for the confirmation whose answer is lost, and takes nothing back meanwhile', async () => {
    const build = await readAdapter('medusa');
    if (!build.ok) throw new Error(build.failure);
    const { cases = [], source = '' } = (await readRecordings(recordingsFolder('medusa'))).get(operation) ?? {};
    const recorded = cases.find(({ title }) => title.startsWith('the answer to the confirmation is lost'));
    if (recorded === undefined) throw new Error('no such case');
    const { exchanges } = recorded;
    const last = exchanges.findLastIndex(isListOfChanges);
    const waiting = exchanges.slice(last, last + 1).map(inProgress);
    const slow = { ...recorded, exchanges: exchanges.toSpliced(last, 0, ...waiting) };

    const rows = await replayRecordings(build.value, {
      recordings: new Map([[operation, { operation, source, cases: [slow] }]]),
    });

    expect(rows.find((row) => row.operation === operation)).toMatchObject({ differences: [], counts: { answers: 1 } });
  });
});

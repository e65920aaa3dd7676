import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import * as commands from '../../../lib/edge/backend/standalone.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import type { KeyRing } from '../../../lib/domain/returns/history/mac.ts';
import type { Root } from '../../../lib/domain/returns/history/merkle.ts';
import { withdrawalKey } from '../../../lib/store/engine/keys.ts';
import type { AnyHistory, ExportFailure } from '../../../lib/tools/verify/check-history.ts';
import { verifyExport } from '../../../lib/tools/verify/verify-export.ts';
import { receiptJwks } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { approvedReturn, startSchedules } from '../schedules/support.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ringOf, ringText, unitRing } from '../../support/history-keys.ts';
import { publishRoot } from '../../support/publish-root.ts';
import { attacks } from '../../domain/withdrawals/attacks/attacks.ts';
import { stolen } from '../../domain/withdrawals/attacks/judge.ts';
import { randomOf } from '../../domain/withdrawals/attacks/random.ts';
import { makeWorld, type Target, type World, writeRows } from '../../domain/withdrawals/attacks/world.ts';
import { workers } from './worker.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const { workOff } = workers(engines.jobsUrl, jobRunner(commands));
const directory = await mkdtemp(join(tmpdir(), 'withdrawals-'));
afterAll(async () => rm(directory, { recursive: true, force: true }));

let world: World;
beforeAll(async () => {
  world = await makeWorld(backend, engines.table, 1);
  await approvedReturn(backend);
});

const job = async (jobId: string): Promise<Output<'getJob'>> => {
  await workOff();
  const found = await backend.getJob({ jobId }, backendCall());
  if (!found.ok) throw new Error(found.failure.code);
  return found.value.body;
};

const exported = async (more: object = {}): Promise<readonly AnyHistory[]> => {
  const started = await backend.createExport({ format: 'history', ...more }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  const ended = await job(started.value.body.jobId);
  const files = ended.kind === 'export' ? (ended.files ?? []) : [];
  const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as AnyHistory);
};

const verified = async (
  histories: readonly AnyHistory[],
  { keys, isPart = false, roots = [world.root] }: { keys?: KeyRing; isPart?: boolean; roots?: readonly Root[] } = {},
) => {
  const failures: ExportFailure[] = [];
  const onFailure = (failure: ExportFailure) => void failures.push(failure);
  const lines = histories.map((history) => JSON.stringify(history));
  const report = await verifyExport(lines, roots, { keys, isPart, onFailure });
  return { ...report, named: failures.map(({ name, returnId, sequence }) => [name, returnId, sequence]) };
};

const firstWith = (fits: (target: Target) => boolean): Target => {
  const target = world.targets.find(fits);
  if (target === undefined) throw new Error('there is none');
  return target;
};

describe('an export of histories', () => {
  it('has the withdrawals with their proofs in the tree of returns and withdrawals', async () => {
    const old = world.targets.filter(({ anchored }) => anchored > 0);
    const young = world.targets.filter(({ anchored }) => anchored === 0);
    expect(world.root).toMatchObject({ size: old.length, withdrawals: old.length });
    const histories = await exported();
    const found = await verified(histories, { keys: unitRing });
    expect(found).toMatchObject({ returns: 1, withdrawals: world.targets.length, faults: 0 });
    expect(found.unanchored.histories).toBe(young.length + 1);
    expect(await verified(histories.filter(({ returnId }) => returnId !== old[0]?.id))).toMatchObject({
      named: [['removed withdrawal', undefined, undefined]],
    });
  });

  it('has no withdrawals when it selects a status of returns', async () => {
    const histories = await exported({ status: 'approved' });
    expect(histories.map(({ returnId }) => returnId.slice(0, 4))).toEqual(['ret_']);
    expect(await verified(histories, { isPart: true })).toMatchObject({ returns: 1, withdrawals: 0, faults: 0 });
  });

  it('shows a rewritten history, also one of the holder of the keys, and an unreadable row', async () => {
    const [target, other] = [
      firstWith(({ anchored, texts }) => anchored > 3 && texts.length === 2),
      firstWith(({ anchored }) => anchored === 2),
    ];
    const forged = attacks['rewrite the chain with the stolen keys']?.({ random: randomOf(7), target, other, stolen });
    const unreadable = { ...withdrawalKey(other.id), ...other.rows.find(({ sk }) => sk === 'SNAPSHOT'), value: '{' };
    await writeRows(engines.table, [...(forged?.rows ?? []), unreadable]);
    const { named } = await verified(await exported(), { keys: unitRing });
    expect(named.map(([name, id]) => `${name} ${id}`).toSorted()).toEqual(
      [target.id, other.id].map((id) => `rewritten chain ${id}`).toSorted(),
    );
    await writeRows(
      engines.table,
      [...target.rows, ...other.rows].filter(({ sk }) => sk !== 'PROJECTED'),
    );
    expect(await verified(await exported(), { keys: unitRing })).toMatchObject({ faults: 0 });
  });

  it('and the receipt verify after an erasure, by the roots before and after it', async () => {
    const target = firstWith(({ anchored, texts }) => anchored > 2 && texts.length === 2);
    const started = await backend.eraseCustomer({ withdrawalId: target.id }, backendCall());
    if (!started.ok) throw new Error(started.failure.detail);
    expect(await job(started.value.body.jobId)).toMatchObject({ status: 'done' });
    const jwks = receiptJwks(ringOf(ringText(['receipts'])));
    const check = async (root: Root) => {
      const read = await backend.verifyWithdrawalHistory({ withdrawalId: target.id }, backendCall());
      if (!read.ok) throw new Error(read.failure.code);
      const { proof, ...rest } = read.value.body;
      expect(rest).toEqual({
        withdrawalId: target.id,
        entries: target.entries.length,
        valid: true,
        head: target.state.head,
      });
      expect(proof?.at).toBe(root.at);
      const files = { 'receipt.jws': target.jws, 'jwks.json': jwks, 'roots.json': [root], 'proof.json': proof };
      for (const [name, content] of Object.entries(files))
        await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
      const names = Object.keys(files).map((name) => join(directory, name));
      const { stdout } = await promisify(execFile)(process.execPath, ['lib/tools/verify/cli.ts', ...names]);
      expect(stdout).toMatch(/Anchored by the root of .*\nNo faults[.]\n$/);
    };
    await check(world.root);
    const next = await publishRoot(1);
    expect(next.earlier).toEqual({ at: world.root.at, size: world.root.size, found: world.root.size });
    await check(next);
    const histories = await exported();
    expect(histories.find(({ returnId }) => returnId === target.id)?.entries).toEqual(target.entries);
    expect(await verified(histories, { keys: unitRing, roots: [world.root, next] })).toMatchObject({
      faults: 0,
      unanchored: { histories: 0, entries: 0 },
    });
  });
});

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Root } from '../../../../lib/domain/returns/history/merkle.ts';
import { jobRunner } from '../../../../lib/service/jobs/run-job.ts';
import { isWithdrawalId } from '../../../../lib/domain/returns/history/merkle.ts';
import { rootFailures } from '../../../../lib/tools/verify/check-history.ts';
import { verifyExport } from '../../../../lib/tools/verify/verify-export.ts';
import { workers } from '../../jobs/worker.ts';
import { startSchedules } from '../support.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { ringOf, ringText } from '../../../support/history-keys.ts';
import { publishRoot } from '../../../support/publish-root.ts';
import { runsEveryCase } from '../../../support/samples.ts';
import { randomOf } from '../../../domain/withdrawals/attacks/random.ts';
import { type Row, writeRows } from '../../../domain/withdrawals/attacks/world.ts';
import { type Attack, attacks } from './stored-attacks.ts';
import { makeHistories, readTarget, type Target } from './stored-world.ts';

const total = Number(process.env['ATTACKS'] ?? (runsEveryCase() ? 10_000 : 200));
const sizes = total > 1000 ? { returns: 120, withdrawals: 60 } : { returns: 36, withdrawals: 16 };

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const { workOff, purge } = workers(engines.jobsUrl, jobRunner(backend));
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const read = async (id: string, anchored?: number) => readTarget(table, engines.table, id, anchored);
const { current: key } = ringOf(ringText());

const kinds = Object.keys(attacks);

type Planned = { readonly kind: string; readonly target: Target; readonly attack: Attack };

/** Chooses an attack on each target that changes something. The seed repeats it. */
const plan = (targets: readonly Target[], seed: number): readonly Planned[] =>
  targets.flatMap((target, index) => {
    for (let tries = 0; tries < 40; tries += 1) {
      const random = randomOf((seed * targets.length + index) * 40 + tries);
      const kind = random.pick(kinds);
      const other = random.pick(targets.filter(({ id }) => id !== target.id));
      const attack = attacks[kind]?.({ random, target, other, key });
      if (attack !== undefined) return [{ kind, target, attack }];
    }
    return [];
  });

/** Writes the rows of attacks, or the honest rows again. */
const write = async (planned: readonly Planned[], isUndone: boolean): Promise<void> => {
  const rowsOf = ({ target, attack }: Planned): readonly Row[] =>
    isUndone
      ? attack.rows.map(({ pk, sk }) => target.rows.find((row) => row.pk === pk && row.sk === sk) ?? { pk, sk })
      : attack.rows;
  await Promise.all(planned.map(async (one) => writeRows(engines.table, rowsOf(one))));
};

/** Verifies a history by the operation: whether it is valid, and how many entries a root covers. */
const verify = async (id: string) => {
  if (isWithdrawalId(id)) {
    const verified = await backend.verifyWithdrawalHistory({ withdrawalId: id }, backendCall());
    if (!verified.ok) throw new Error(verified.failure.code);
    const { valid, proof } = verified.value.body;
    return { valid, anchored: proof?.version };
  }
  const verified = await backend.verifyHistory({ returnId: id }, backendCall());
  if (!verified.ok) throw new Error(verified.failure.code);
  const { valid, anchor } = verified.value.body;
  return { valid, anchored: anchor?.version };
};

/** Exports all histories, and returns the ids that the offline verifier names by this root alone. */
const namedOffline = async (root: Root): Promise<ReadonlySet<string>> => {
  const started = await backend.createExport({ format: 'history' }, backendCall());
  if (!started.ok) throw new Error(started.failure.detail);
  await workOff();
  // Nothing deletes messages, and a run takes longer than they are hidden.
  await purge();
  const job = await backend.getJob({ jobId: started.value.body.jobId }, backendCall());
  if (!job.ok || job.value.body.kind !== 'export') throw new Error('it is no export');
  const files = await Promise.all((job.value.body.files ?? []).map(async ({ url }) => (await fetch(url)).text()));
  const named = new Set<string>();
  // What the root says of differences is left out: each history is named by its leaf.
  const { differences: _, earlier: __, ...bare } = root;
  const onFailure = ({ returnId }: { readonly returnId?: string }) => void named.add(returnId ?? 'no id');
  await verifyExport(files.join('').split('\n'), [bare], { keys: undefined, isPart: false, onFailure });
  return named;
};

/** Attacks on what no root covers yet. They are named, or their entries are said to be unproved. */
const attackYoung = async (young: readonly Planned[]): Promise<readonly string[]> => {
  await write(young, false);
  const judged = await Promise.all(
    young.map(async ({ kind, target, attack }) => {
      const { valid, anchored = 0 } = await verify(target.id);
      const isSaid = valid && attack.isBroken !== true && anchored <= attack.from;
      return !valid || isSaid ? [] : [`young ${kind} ${target.id}`];
    }),
  );
  await write(young, true);
  return judged.flat();
};

/** Attacks on what the last root covers, between two roots. The next root, the operations and the export name them. */
const attackAnchored = async (old: readonly Planned[], day: number): Promise<{ root: Root; unnamed: string[] }> => {
  await write(old, false);
  const root = await publishRoot(day);
  const inRoot = new Set(root.differences?.map(({ returnId }) => returnId));
  // A root names a hundred histories, and counts all.
  const { size = 0, found = 0 } = root.earlier ?? {};
  expect(size - found).toBeGreaterThanOrEqual(old.filter(({ attack }) => attack.isInRow).length);
  const isFull = inRoot.size === 100;
  const offline = await namedOffline(root);
  const judged = await Promise.all(
    old.map(async ({ kind, target: { id }, attack: { isInRow, isHidden } }) => {
      const verified = await verify(id);
      const named = [
        isInRow !== true || inRoot.has(id) || isFull ? [] : ['root'],
        isHidden === true || !verified.valid ? [] : ['operation'],
        isHidden === true || offline.has(id) ? [] : ['export'],
      ].flat();
      return named.map((by) => `${kind} ${id} by the ${by}`);
    }),
  );
  const attacked = new Set(old.map(({ target }) => target.id));
  const blamed = [...inRoot, ...offline].filter((id) => !attacked.has(id)).map((id) => `blamed: ${id}`);
  await write(old, true);
  return { root, unnamed: [...judged.flat(), ...blamed] };
};

/** The attacks of a test: all of them would exceed its time. */
const batch = 500;

describe('attacks on the stored rows of returns and withdrawals', () => {
  /** How many entries of each history the last root covers. */
  const anchored = new Map<string, number>();
  const roots: Root[] = [];
  const count = new Map<string, number>();
  let ids: readonly string[] = [];
  let seed = 0;

  /** Publishes a root over honest rows. It differs in nothing from the one before. */
  const anchor = async (targets: readonly Target[]): Promise<void> => {
    const root = await publishRoot(roots.length);
    roots.push(root);
    expect(root.differences).toBeUndefined();
    expect(root.earlier?.found).toBe(root.earlier?.size);
    for (const { id, entries } of targets) anchored.set(id, entries.length);
  };
  const readAll = async () => Promise.all(ids.map(async (id) => read(id, anchored.get(id))));

  beforeAll(async () => {
    ids = await makeHistories(backend, sizes);
    await anchor(await readAll());
  });

  it.each(Array.from({ length: Math.ceil(total / batch) }, (_, index) => index * batch))(
    'are named after the next root, or the changed entries are said to be unproved: from attack %i on',
    async (first) => {
      const unnamed: string[] = [];
      for (let left = Math.min(batch, total - first); left > 0;) {
        const random = randomOf((seed += 1));
        for (const returnId of ids.filter((id) => !isWithdrawalId(id) && random.below(8) === 0))
          await backend.addNote({ returnId, text: 'younger than the last root' }, backendCall());
        const targets = await readAll();
        const planned = plan(targets, seed).slice(0, left);
        left -= planned.length;
        for (const { kind } of planned) count.set(kind, (count.get(kind) ?? 0) + 1);
        const isOld = ({ target, attack }: Planned) => attack.from < target.anchored;
        unnamed.push(...(await attackYoung(planned.filter((one) => !isOld(one)))));
        const attacked = await attackAnchored(planned.filter(isOld), roots.length);
        roots.push(attacked.root);
        unnamed.push(...attacked.unnamed);
        await anchor(targets);
      }
      expect(unnamed).toEqual([]);
    },
  );

  it('are of every kind, and the roots alone name each history whose row was changed', () => {
    expect([...count.keys()].toSorted()).toEqual(kinds.toSorted());
    const named = roots.flatMap(({ differences = [] }) => differences.map(({ returnId }) => returnId));
    // A root that names a hundred histories also says how many more differ.
    expect(new Set(rootFailures(roots).flatMap(({ returnId }) => returnId ?? []))).toEqual(new Set(named));
  });
});

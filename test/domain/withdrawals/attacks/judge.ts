import type { Backend } from '../../../../lib/contract/port.ts';
import type { Root } from '../../../../lib/domain/returns/history/merkle.ts';
import { checkReceiptProof, parseProof } from '../../../../lib/tools/verify/check-receipt-proof.ts';
import { receiptJwks } from '../../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { verifyReceipt } from '../../../../lib/domain/withdrawals/receipt/verify-receipt.ts';
import { backendCall } from '../../../support/backend-call.ts';
import { ringOf, ringText } from '../../../support/history-keys.ts';
import { type Attack, attacks, type Stolen } from './attacks.ts';
import { randomOf } from './random.ts';
import { type Row, type Target, type World, writeRows } from './world.ts';

/** The keys of the receipts of these tests, and what is published of them. */
const receiptRing = ringOf(ringText(['receipts']));
const jwks = receiptJwks(receiptRing);
export const stolen: Stolen = { history: ringOf(ringText()).current, receipts: receiptRing.current };

/** What names an attack: the offline verifier, verifyWithdrawalHistory, or both. */
export type Verdict = { readonly offline: string | undefined; readonly online: string | undefined };

/** Verifies a withdrawal by the operation, and the receipt of the consumer offline by the proof of the response. */
export const judge = async (backend: Backend, { id, jws }: Target, root: Root): Promise<Verdict> => {
  const verified = await backend.verifyWithdrawalHistory({ withdrawalId: id }, backendCall());
  if (!verified.ok) return { offline: undefined, online: undefined };
  const { valid, firstFault, proof } = verified.value.body;
  const receipt = verifyReceipt(jws, jwks);
  if (!receipt.ok) throw new Error(receipt.failure.detail);
  const offline =
    proof && checkReceiptProof(receipt.payload, parseProof(JSON.stringify(proof)), [root]).failures[0]?.name;
  return { offline, online: valid ? undefined : firstFault?.code };
};

/** Returns the honest rows that undo an attack. */
const undo = ({ rows }: Target, attack: Attack): readonly Row[] =>
  attack.rows.map(({ pk, sk }) => rows.find((row) => row.pk === pk && row.sk === sk) ?? { pk, sk });

export type Attacked = {
  /** The attacks by kind. */
  readonly count: Readonly<Record<string, number>>;
  /** Those that the offline verifier named. */
  readonly offline: Readonly<Record<string, number>>;
  /** Attacks that nothing named, and those on anchored entries that the offline verifier did not name. */
  readonly unnamed: readonly string[];
};

/** The bound of tries for each attack. */
const maxSeeds = 10;

const isSameRow = (one: Row | undefined, two: Row): boolean => JSON.stringify(one ?? {}) === JSON.stringify(two);

/**
 * Attacks a world. Each attack is judged and undone before the next one on the same withdrawal.
 *
 * @param first the seed of the first attack; each attack has a seed of its own, so that it can be repeated
 */
export const attackWorld = async (
  { backend, table, world }: { readonly backend: Backend; readonly table: string; readonly world: World },
  first: number,
  total: number,
): Promise<Attacked> => {
  const { targets, root } = world;
  const kinds = Object.keys(attacks);
  const [count, offline, unnamed]: [Record<string, number>, Record<string, number>, string[]] = [{}, {}, []];
  let seed = first;
  let left = total;

  // Some kinds fit few withdrawals. They go on until they fit one.
  const isOpen = (): boolean =>
    left > 0 || (seed < first + total * maxSeeds && kinds.some((kind) => count[kind] === undefined));

  const attackOnce = async (target: Target): Promise<void> => {
    const own = seed;
    seed += 1;
    const random = randomOf(own);
    const kind = kinds[own % kinds.length] ?? '';
    const others = targets.filter(({ id }) => id !== target.id);
    const attack = attacks[kind]?.({ random, target, other: random.pick(others), stolen });
    const isChange = attack?.rows.some(
      (row) =>
        !isSameRow(
          target.rows.find(({ pk, sk }) => pk === row.pk && sk === row.sk),
          row,
        ),
    );
    if (attack === undefined || isChange !== true || !isOpen()) return;
    left -= 1;
    await writeRows(table, attack.rows);
    const verdict = await judge(backend, target, root);
    await writeRows(table, undo(target, attack));
    count[kind] = (count[kind] ?? 0) + 1;
    if (verdict.offline !== undefined) offline[kind] = (offline[kind] ?? 0) + 1;
    const isNamed = attack.isAnchored ? verdict.offline !== undefined : verdict.online !== undefined;
    if (!isNamed)
      unnamed.push(`seed ${own}, ${kind}, ${target.anchored}/${target.entries.length}: ${JSON.stringify(verdict)}`);
  };

  await Promise.all(
    targets.map(async (target) => {
      while (isOpen()) await attackOnce(target);
    }),
  );
  return { count, offline, unnamed };
};

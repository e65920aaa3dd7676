import { isWithdrawalId, type Root } from '../../domain/returns/history/merkle.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import { type AnyHistory, checkHistory, type TrustAnchors, type ExportFailure, rootFailures } from './check-history.ts';

/** The result of verifying an export. */
export type ExportReport = {
  readonly returns: number;
  readonly withdrawals: number;
  readonly entries: number;
  /** The histories and entries among these that no root covers. */
  readonly unanchored: { readonly histories: number; readonly entries: number };
  /** The roots that prove histories. */
  readonly provenBy: readonly string[];
  readonly faults: number;
};

/** Where the roots are, for the errors of the commands. */
export const rootsPlace =
  'The roots are the files roots/*.json of the bucket AnchorBucket, one a line. A local stack has them in .local/s3/buckets/returns-standalone-anchorbucket/objects/roots, as *.data.';

/** The error of a file that does not have the expected format. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const isRoot = (value: unknown): value is Root =>
  isObject(value) &&
  ['at', 'before', 'root'].every((name) => typeof value[name] === 'string') &&
  ['size', 'withdrawals'].every((name) => Number.isSafeInteger(value[name]));

/**
 * Parses the roots of a file, oldest first. It holds a JSON array, or one root per line as in the bucket.
 *
 * @throws {Unreadable}
 */
export const parseRoots = (text: string): readonly Root[] => {
  const whole = parseJson(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found = Array.isArray(whole) ? (whole as unknown[]) : lines.map(parseJson);
  if (found.length === 0 || !found.every(isRoot))
    throw new Unreadable(`The file of roots holds something else. ${rootsPlace}`);
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1));
};

const parseHistory = (line: string, number: number): AnyHistory => {
  const value = parseJson(line);
  const fits =
    isObject(value) &&
    typeof value['returnId'] === 'string' &&
    Array.isArray(value['entries']) &&
    Number.isSafeInteger(value['version']);
  if (!fits)
    throw new Unreadable(`Line ${number} of the export is no history: ask createExport for the format history.`);
  return value as AnyHistory;
};

/** Yields a failure for each leaf of a tree without an exported history. The withdrawals are its first leaves. */
function* missingHistories({ at, size, withdrawals }: Root, seen: ReadonlySet<number>): Generator<ExportFailure> {
  for (let index = 0; index < size; index += 1) {
    if (seen.has(index)) continue;
    const isWithdrawal = index < withdrawals;
    const place = isWithdrawal
      ? `Withdrawal ${index + 1} of ${withdrawals}`
      : `Return ${index - withdrawals + 1} of ${size - withdrawals}`;
    const detail = `${place}, the newest first, of the root of ${at} is not in the export.`;
    yield { name: isWithdrawal ? 'removed withdrawal' : 'removed return', detail };
  }
}

/**
 * Verifies an export line by line.
 *
 * @param isPart true for a partial export, whose missing histories are not reported
 * @throws {Unreadable}
 */
export const verifyExport = async (
  lines: AsyncIterable<string> | Iterable<string>,
  roots: readonly Root[],
  {
    keys,
    leaves,
    isPart,
    onFailure,
  }: Pick<TrustAnchors, 'keys' | 'leaves'> & {
    readonly isPart: boolean;
    readonly onFailure: (failure: ExportFailure) => void;
  },
): Promise<ExportReport> => {
  const evidence: TrustAnchors = { roots: new Map(roots.map((root) => [root.at, root])), keys, leaves };
  const missing = new Set(leaves?.keys());
  const seen = new Map<string, Set<number>>();
  const unanchored = { histories: 0, entries: 0 };
  let [number, returns, withdrawals, entries, failures] = [0, 0, 0, 0, 0];
  const report = (failure: ExportFailure): void => {
    failures += 1;
    onFailure(failure);
  };
  for (const failure of rootFailures(roots)) report(failure);
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const history = parseHistory(line, number);
    missing.delete(history.returnId);
    const { failure, leaf, unanchored: more } = checkHistory(history, evidence);
    if (failure !== undefined) report(failure);
    if (leaf !== undefined) {
      const positions = seen.get(leaf.at) ?? new Set();
      if (positions.has(leaf.index))
        report({
          name: 'rewritten chain',
          returnId: history.returnId,
          detail: 'Its place in the tree is taken twice.',
        });
      seen.set(leaf.at, positions.add(leaf.index));
    }
    if (isWithdrawalId(history.returnId)) withdrawals += 1;
    else returns += 1;
    entries += history.entries.length;
    unanchored.histories += leaf === undefined ? 1 : 0;
    unanchored.entries += more;
  }
  // A new root during an export leads to proofs by two roots. Then neither shows missing histories.
  const [only, ...more] = seen.size === 0 ? roots.slice(-1).map(({ at }) => at) : seen.keys();
  const root = only === undefined ? undefined : evidence.roots.get(only);
  if (!isPart && more.length > 0)
    throw new Unreadable('The export was made while a root was: make it again, or verify it as a part.');
  if (!isPart && root !== undefined)
    for (const failure of missingHistories(root, seen.get(root.at) ?? new Set())) report(failure);
  for (const returnId of isPart ? [] : missing) {
    const held = leaves?.get(returnId)?.findLast(({ at }) => at <= (root?.at ?? ''));
    const name = isWithdrawalId(returnId) ? 'removed withdrawal' : 'removed return';
    if (held !== undefined)
      report({ name, returnId, detail: `The tree of ${held.at} holds it, but the export does not.` });
  }
  return { returns, withdrawals, entries, unanchored, provenBy: [...seen.keys()], faults: failures };
};

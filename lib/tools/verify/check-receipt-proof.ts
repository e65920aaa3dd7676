import { canonicalJson, sha256Of } from '../../domain/returns/history/canonical-json.ts';
import { initialHash } from '../../domain/returns/history/history.ts';
import { hashOfLeaf, isIncluded, type Root } from '../../domain/returns/history/merkle.ts';
import type { Proof } from '../../domain/returns/history/verify-history.ts';
import { isObject, type JsonObject, parseObject } from '../../runtime/json.ts';
import type { ReceiptPayload } from '../../domain/withdrawals/receipt/receipt.ts';
import { type ExportFailure, rootFailures } from './check-history.ts';
import { Unreadable } from './verify-export.ts';

/**
 * The history of a withdrawal, and the proof that a root covers its first `version` entries, as verifyWithdrawalHistory
 * returns them. An entry that the service could not read is null.
 */
export type ReceiptProof = Proof & { readonly entries: readonly (JsonObject | null)[] };

/** What a proof shows: the time of the root, and how many entries of the history the root covers. */
export type ReceiptAnchor = { readonly at: string; readonly anchored: number; readonly unanchored: number };

/**
 * Parses a proof.
 *
 * @throws {Unreadable}
 */
export const parseProof = (text: string): ReceiptProof => {
  const value = parseObject(text);
  const fits =
    value !== undefined &&
    ['returnId', 'head', 'at'].every((name) => typeof value[name] === 'string') &&
    ['version', 'index', 'size'].every((name) => Number.isSafeInteger(value[name])) &&
    Array.isArray(value['path']) &&
    value['path'].every((hash) => typeof hash === 'string') &&
    Array.isArray(value['entries']) &&
    value['entries'].every((entry) => entry === null || isObject(entry));
  if (!fits)
    throw new Unreadable('The file of the proof holds something else. It must be `proof` of verifyWithdrawalHistory.');
  return value as ReceiptProof;
};

/** Returns the hash of an entry: SHA-256 of its RFC 8785 JSON without hash and MAC; undefined if there is none. */
const hashOf = (entry: JsonObject): string | undefined => {
  try {
    return sha256Of({ ...entry, hash: undefined, mac: undefined });
  } catch {
    return undefined;
  }
};

type Failure = Omit<ExportFailure, 'returnId'>;

/** Returns the first failure of a chain: each entry has its hash, its position and the hash of the entry before. */
const chainFailure = (entries: ReceiptProof['entries']): Failure | undefined => {
  let head: unknown = initialHash;
  for (const [index, entry] of entries.entries()) {
    const sequence = index + 1;
    if (entry === null) return { name: 'edited entry', sequence, detail: 'The entry cannot be read.' };
    if (hashOf(entry) !== entry['hash'])
      return { name: 'edited entry', sequence, detail: 'The hash does not match the entry.' };
    if (entry['sequence'] !== sequence)
      return { name: 'swapped entries', sequence, detail: 'The entry belongs to another position.' };
    if (entry['previousHash'] !== head)
      return { name: 'rewritten chain', sequence, detail: 'The previous hash does not match the previous entry.' };
    head = entry['hash'];
  }
  return undefined;
};

const rewritten = (detail: string, sequence?: number): Failure => ({
  name: 'rewritten chain',
  detail,
  ...(sequence !== undefined && { sequence }),
});

/** Returns the first failure between the receipt, the history and the root. */
const anchorFailure = (
  { jti, chain }: ReceiptPayload,
  proof: ReceiptProof,
  root: Root | undefined,
): Failure | undefined => {
  const { returnId, entries, version, head, at } = proof;
  if (returnId !== jti) return rewritten('The proof is of another declaration.');
  if (entries[0]?.['hash'] !== chain.hash) return rewritten('The receipt names another first entry.', 1);
  if (root === undefined) return rewritten(`Its proof is for a root of ${at}, which is not among the roots.`);
  if (version < 1 || proof.size !== root.size || !isIncluded(hashOfLeaf(proof), proof, root.root))
    return rewritten(`Its proof does not lead to the root of ${at}.`);
  if (entries.length < version)
    return {
      name: 'removed tail',
      sequence: entries.length + 1,
      detail: `There were ${version} entries by the root of ${at}.`,
    };
  return entries[version - 1]?.['hash'] === head
    ? undefined
    : rewritten(`It had another head by the root of ${at}.`, version);
};

/**
 * Checks that the first entry of a history, which a receipt names, is under one of the roots. Then the operator cannot
 * have made declaration and receipt after the time of that root.
 *
 * @param payload the content of a verified receipt
 */
export const checkReceiptProof = (
  payload: ReceiptPayload,
  proof: ReceiptProof,
  roots: readonly Root[],
): { readonly failures: readonly ExportFailure[]; readonly anchor: ReceiptAnchor } => {
  const found = roots.filter(({ at }) => at === proof.at);
  // Two different roots of one time: neither can be trusted.
  const isAmbiguous = new Set(found.map((root) => canonicalJson(root))).size > 1;
  const failure = chainFailure(proof.entries) ?? anchorFailure(payload, proof, isAmbiguous ? undefined : found[0]);
  return {
    failures: [...rootFailures(roots), ...(failure === undefined ? [] : [{ returnId: payload.jti, ...failure }])],
    anchor: {
      at: proof.at,
      anchored: proof.version,
      unanchored: Math.max(0, proof.entries.length - proof.version),
    },
  };
};

import { open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseObject } from '../../runtime/json.ts';
import type { ReceiptPayload } from '../../domain/withdrawals/receipt/receipt.ts';
import { maxReceiptLength, verifyReceipt } from '../../domain/withdrawals/receipt/verify-receipt.ts';
import type { ExportFailure } from './check-history.ts';
import { checkReceiptProof, parseProof, type ReceiptAnchor } from './check-receipt-proof.ts';
import { parseRoots, Unreadable } from './verify-export.ts';

/** Reads the start of a file: more than a receipt may have, and never a whole export. */
const readStart = async (file: string): Promise<string> => {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(maxReceiptLength + 1024);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
};

/** Three parts of base64url. A line of an export starts with a brace. */
const compactJws = /^\s*[\w-]+\.[\w-]*\.[\w-]*\s*$/;

/**
 * Returns whether a file holds a receipt, by its name `*.jws` or by its content.
 *
 * @throws the error of the file system for a file that cannot be read
 */
export const isReceiptFile = async (file: string): Promise<boolean> =>
  extname(file).toLowerCase() === '.jws' || compactJws.test(await readStart(file));

/** The files of the verification of a receipt. */
export type ReceiptFiles = {
  readonly receipt: string;
  readonly jwks: string;
  readonly anchors: { readonly roots: string; readonly proof: string } | undefined;
  /** Whether the text shows what the consumer wrote, which is personal data. */
  readonly showsContent: boolean;
};

/** Control characters and those that change the direction of text could change what a terminal shows. */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

const shown = (text: string): string =>
  text.replaceAll(unsafe, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const formatContent = ({ content }: ReceiptPayload): readonly string[] =>
  (['name', 'email', 'contract', 'lines', 'statement'] as const).flatMap((field) => {
    const text = content[field];
    return text === undefined ? [] : [`${field.padEnd(12)}${shown(text)}`];
  });

const formatAnchor = ({ at, anchored, unanchored }: ReceiptAnchor): string =>
  `Anchored by the root of ${shown(at)}: ${anchored} entries; ${unanchored} not anchored.`;

/** Where the keys of receipts are, for the errors of the command. */
export const keysPlace = 'The keys are at /.well-known/withdrawal-receipts.json of the issuer.';

const readJwks = async (file: string): Promise<object> => {
  const jwks = parseObject(await readFile(file, 'utf8'));
  if (!Array.isArray(jwks?.['keys'])) throw new Unreadable(`The key file is no JSON Web Key Set. ${keysPlace}`);
  return jwks;
};

/**
 * Verifies a receipt by the published keys, and its history entry by the stored roots.
 *
 * @param onFailure receives each failure of the roots and the proof
 * @returns the number of failures and the text of the result
 * @throws {Unreadable}
 */
export const verifyReceiptFiles = async (
  { receipt, jwks, anchors, showsContent }: ReceiptFiles,
  onFailure: (failure: ExportFailure) => void,
): Promise<{ readonly failures: number; readonly text: string }> => {
  const keys = await readJwks(jwks);
  const known = anchors && {
    roots: parseRoots(await readFile(anchors.roots, 'utf8')),
    proof: parseProof(await readFile(anchors.proof, 'utf8')),
  };
  const checked = verifyReceipt((await readStart(receipt)).trim(), keys);
  if (!checked.ok)
    return { failures: 1, text: `The receipt is not valid (${checked.failure.code}). ${checked.failure.detail}` };
  const { payload, keyId, sha256 } = checked;
  const proven = known && checkReceiptProof(payload, known.proof, known.roots);
  const failures = proven?.failures ?? [];
  for (const failure of failures) onFailure(failure);
  const lines = [
    `The signature is valid: key ${keyId} of ${shown(payload.iss)}.`,
    `${'declaration'.padEnd(12)}${shown(payload.jti)}`,
    `${'declared at'.padEnd(12)}${payload.declaredAt} (${shown(payload.timeZone)})`,
    `${'SHA-256'.padEnd(12)}${sha256}`,
    `${'entry 1'.padEnd(12)}${payload.chain.hash}`,
    ...(showsContent ? formatContent(payload) : []),
    ...(proven === undefined ? ['Its history entry was not checked: there are no roots and no proof.'] : []),
    ...(proven !== undefined && failures.length === 0 ? [formatAnchor(proven.anchor)] : []),
    failures.length === 0 ? 'No faults.' : `${failures.length} faults.`,
  ];
  return { failures: failures.length, text: lines.join('\n') };
};

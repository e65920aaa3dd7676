import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseKeyRing } from '../../service/execution/key-ring.ts';
import { parseCommandLine, type Command, type Parsed } from '../command-line/command-line.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { errorName } from '../../runtime/log.ts';
import { readTrees } from './anchored-trees.ts';
import type { ExportFailure } from './check-history.ts';
import { parseRoots, rootsPlace, Unreadable, verifyExport, type ExportReport } from './verify-export.ts';
import { isReceiptFile, keysPlace, type ReceiptFiles, verifyReceiptFiles } from './verify-receipt-files.ts';

const command: Command = {
  call: 'npm run verify',
  about: 'Verifies exported histories, or the receipt of a withdrawal, without the deployment.',
  options: {
    trees: {
      type: 'string',
      value: '<folder>',
      about: 'The trees of the bucket. Compares the export with all of them.',
    },
    part: { type: 'boolean', about: 'The export is partial: missing histories are no faults.' },
    content: { type: 'boolean', about: 'Prints what the receipt says. It is personal data.' },
  },
  operands: {
    value: 'export.ndjson roots.json [key.json] | receipt.jws jwks.json [roots.json proof.json]',
    about: 'the files',
  },
  notes:
    'An export: the export of the format history, the roots of the bucket, and the secret HistoryKeys.\nA receipt: the signed receipt, the published keys, the roots of the bucket, and `proof` of verifyWithdrawalHistory.\nA file *.jws, or a file with one compact JWS, is a receipt.\n\nWithout key.json the last root proves the entries before it. Later entries are not anchored.\nThe owner of key.json can forge histories. Do not share it outside your organization.',
};

/** Formats a failure as one line. */
export const formatFailure = ({ name, returnId, sequence, detail }: ExportFailure): string =>
  [name.padEnd(16), returnId, sequence === undefined ? undefined : `entry ${sequence}`, detail]
    .filter((part) => part !== undefined)
    .join('  ');

const formatSummary = (
  { returns, withdrawals, entries, unanchored, provenBy, faults: failures }: ExportReport,
  hasKeys: boolean,
): string => {
  const proven = provenBy.length === 0 ? 'by no root' : `by the root of ${provenBy.join(', ')}`;
  const rest = `${unanchored.histories} histories and ${unanchored.entries} entries are not anchored`;
  return [
    `${returns} returns, ${withdrawals} withdrawals, ${entries} entries; proven ${proven}.`,
    `${rest}${hasKeys ? '; their MACs were checked' : ''}.`,
    failures === 0 ? 'No faults.' : `${failures} faults.`,
  ].join('\n');
};

/** What the verification of an export needs, as sentences of an error. */
export const exportNeeds = `An export needs export.ndjson, of createExport with the format history, and roots.json; key.json is optional. ${rootsPlace}`;

const receiptNeeds = `A receipt needs receipt.jws and jwks.json, or also roots.json and proof.json. ${keysPlace} ${rootsPlace} proof.json is \`proof\` of verifyWithdrawalHistory.`;

const readKeyRing = async (file: string) => {
  const ring = parseKeyRing(await readFile(file, 'utf8'));
  if (ring === undefined) throw new Unreadable('The key file is not a secret HistoryKeys.');
  return ring;
};

const readFailure = (error: unknown): string => {
  if (error instanceof Unreadable) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  return path === undefined
    ? `A file is unreadable: ${errorName(error)}.`
    : `${path} is not readable (${code}). Name a file that exists, and that you may read.`;
};

/** The files of a verification. */
export type VerifiedFiles = {
  readonly exported: string;
  readonly roots: string;
  readonly key: string | undefined;
  /** The folder of the trees. */
  readonly trees?: string | undefined;
  /** Whether missing histories are no failures. */
  readonly isPart: boolean;
};

/**
 * Verifies an export against the stored roots.
 *
 * @param onFailure receives each failure
 * @returns the report and its text, or the error of an unreadable file
 */
export const verifyFiles = async (
  { exported, roots, key, trees, isPart }: VerifiedFiles,
  onFailure: (failure: ExportFailure) => void,
): Promise<Result<{ readonly report: ExportReport; readonly text: string }, string>> => {
  try {
    const keys = key === undefined ? undefined : await readKeyRing(key);
    const known = parseRoots(await readFile(roots, 'utf8'));
    const { leaves, failures } =
      trees === undefined ? { leaves: undefined, failures: [] } : await readTrees(trees, known);
    for (const failure of failures) onFailure(failure);
    // Last, because lines that come before they are awaited are lost.
    const lines = createInterface({ input: createReadStream(exported), crlfDelay: Number.POSITIVE_INFINITY });
    const verified = await verifyExport(lines, known, { keys, leaves, isPart, onFailure });
    const report = { ...verified, faults: verified.faults + failures.length };
    return ok({ report, text: formatSummary(report, keys !== undefined) });
  } catch (error) {
    return fail(readFailure(error));
  }
};

/** Verifies a receipt. The failure is that of an unreadable file. */
const verifyOneReceipt = async (
  files: ReceiptFiles,
  onFailure: (failure: ExportFailure) => void,
): Promise<Result<{ readonly failures: number; readonly text: string }, string>> => {
  try {
    return ok(await verifyReceiptFiles(files, onFailure));
  } catch (error) {
    return fail(readFailure(error));
  }
};

type Call =
  | { readonly kind: 'export'; readonly files: VerifiedFiles }
  | { readonly kind: 'receipt'; readonly files: ReceiptFiles };

/** Returns what the arguments ask for. The failure of a wrong number of files says what is needed, and where it is. */
const callOf = async ({ operands, values }: Extract<Parsed, { kind: 'run' }>): Promise<Result<Call, string>> => {
  const [first, second, third, fourth, ...more] = operands;
  const [isPart, showsContent] = [values['part'] === true, values['content'] === true];
  const trees = typeof values['trees'] === 'string' ? values['trees'] : undefined;
  if (first === undefined) return fail(`${exportNeeds}\n${receiptNeeds}`);
  // An unreadable file is no receipt here. Its verification as an export names the error.
  if (await isReceiptFile(first).catch(() => false)) {
    if (isPart || trees !== undefined) return fail('--part and --trees are for an export, and this is a receipt.');
    const isUneven = (third === undefined) !== (fourth === undefined);
    if (second === undefined || isUneven || more.length > 0) return fail(receiptNeeds);
    const anchors = third === undefined || fourth === undefined ? undefined : { roots: third, proof: fourth };
    return ok({ kind: 'receipt', files: { receipt: first, jwks: second, anchors, showsContent } });
  }
  if (showsContent) return fail(`--content is for a receipt, and ${first} is none.`);
  if (second === undefined || fourth !== undefined) return fail(exportNeeds);
  return ok({ kind: 'export', files: { exported: first, roots: second, key: third, trees, isPart } });
};

const printFailure = (failure: ExportFailure): void => console.log(formatFailure(failure));

/**
 * Runs the command.
 *
 * @returns the exit code
 */
const run = async (args: readonly string[]): Promise<number> => {
  const parsed = parseCommandLine(command, args);
  if (parsed.kind === 'help') {
    console.log(parsed.text);
    return 0;
  }
  const found = parsed.kind === 'run' ? await callOf(parsed) : fail(parsed.message);
  if (!found.ok) {
    console.error(found.failure);
    return 2;
  }
  const { value: call } = found;
  const verified =
    call.kind === 'receipt'
      ? await verifyOneReceipt(call.files, printFailure)
      : await verifyFiles(call.files, printFailure);
  if (!verified.ok) {
    console.error(verified.failure);
    return 2;
  }
  const { value } = verified;
  console.log(value.text);
  return ('report' in value ? value.report.faults : value.failures) === 0 ? 0 : 1;
};

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));

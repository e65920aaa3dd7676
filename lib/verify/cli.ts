import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseKeyRing } from '../execution/key-ring.ts';
import { parseCommandLine, type Command } from '../cli/command-line.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { errorName } from '../runtime/log.ts';
import type { ExportFailure } from './check-history.ts';
import { parseRoots, Unreadable, verifyExport, type ExportReport } from './verify-export.ts';

const command: Command = {
  call: 'npm run verify',
  about: 'Verifies exported histories against the stored roots, without the deployment.',
  options: { part: { type: 'boolean', about: 'The export is partial: missing returns are no faults.' } },
  operands: {
    value: 'export.ndjson roots.json [key.json]',
    about: 'an export of the format history, the roots of the bucket, and the secret HistoryKeys',
  },
  notes:
    'Without key.json the last root proves the entries before it. Later entries are not anchored.\nThe owner of key.json can forge histories. Do not share it outside your organization.',
};

/** Formats a fault as one line. */
export const formatFailure = ({ name, returnId, sequence, detail }: ExportFailure): string =>
  [name.padEnd(16), returnId, sequence === undefined ? undefined : `entry ${sequence}`, detail]
    .filter((part) => part !== undefined)
    .join('  ');

const formatSummary = ({ returns, entries, unanchored, provenBy, faults }: ExportReport, hasKeys: boolean): string => {
  const proven = provenBy.length === 0 ? 'by no root' : `by the root of ${provenBy.join(', ')}`;
  const rest = `${unanchored.returns} returns and ${unanchored.entries} entries are not anchored`;
  return [
    `${returns} returns, ${entries} entries; proven ${proven}.`,
    `${rest}${hasKeys ? '; their MACs were checked' : ''}.`,
    faults === 0 ? 'No faults.' : `${faults} faults.`,
  ].join('\n');
};

const readKeyRing = async (file: string) => {
  const ring = parseKeyRing(await readFile(file, 'utf8'));
  if (ring === undefined) throw new Unreadable('The key file is not a secret HistoryKeys.');
  return ring;
};

/** The files of a verification. */
export type VerifiedFiles = {
  readonly exported: string;
  readonly roots: string;
  readonly key: string | undefined;
  /** Whether missing returns are no faults. */
  readonly isPart: boolean;
};

/**
 * Verifies an export against the stored roots.
 *
 * @param onFault receives each fault
 * @returns the report and its text, or the fault of an unreadable file
 */
export const verifyFiles = async (
  { exported, roots, key, isPart }: VerifiedFiles,
  onFault: (fault: ExportFailure) => void,
): Promise<Result<{ readonly report: ExportReport; readonly text: string }, string>> => {
  try {
    const keys = key === undefined ? undefined : await readKeyRing(key);
    const known = parseRoots(await readFile(roots, 'utf8'));
    const lines = createInterface({ input: createReadStream(exported), crlfDelay: Number.POSITIVE_INFINITY });
    const report = await verifyExport(lines, known, { keys, isPart, onFault });
    return ok({ report, text: formatSummary(report, keys !== undefined) });
  } catch (error) {
    return fail(error instanceof Unreadable ? error.message : `A file is unreadable: ${errorName(error)}.`);
  }
};

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
  const [exported, roots, key, ...more] = parsed.kind === 'run' ? parsed.operands : [];
  if (parsed.kind === 'wrong' || exported === undefined || roots === undefined || more.length > 0) {
    console.error(parsed.kind === 'wrong' ? parsed.message : `Arguments: ${command.operands?.value}.`);
    return 2;
  }
  const isPart = parsed.kind === 'run' && parsed.values['part'] === true;
  const verified = await verifyFiles({ exported, roots, key, isPart }, (fault) => console.log(formatFailure(fault)));
  if (!verified.ok) {
    console.error(verified.failure);
    return 2;
  }
  console.log(verified.value.text);
  return verified.value.report.faults === 0 ? 0 : 1;
};

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseKeyRing } from '../execution/key-ring.ts';
import { parseCommandLine, type Command } from '../cli/command-line.ts';
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

const formatFailure = ({ name, returnId, sequence, detail }: ExportFailure): string =>
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
  try {
    const keys = key === undefined ? undefined : await readKeyRing(key);
    const known = parseRoots(await readFile(roots, 'utf8'));
    const lines = createInterface({ input: createReadStream(exported), crlfDelay: Number.POSITIVE_INFINITY });
    const isPart = parsed.kind === 'run' && parsed.values['part'] === true;
    const verdict = await verifyExport(lines, known, {
      keys,
      isPart,
      onFault: (fault) => console.log(formatFailure(fault)),
    });
    console.log(formatSummary(verdict, keys !== undefined));
    return verdict.faults === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Unreadable ? error.message : `A file is unreadable: ${errorName(error)}.`);
    return 2;
  }
};

process.exitCode = await run(process.argv.slice(2));

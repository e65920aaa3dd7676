import { CommanderError } from 'commander';
import { readCatalogue, readVersion, writeMissingContract } from './catalogue.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { openTerminal, type Process } from './output/terminal.ts';
import { parseArguments } from './program.ts';

/* The process of the command: its streams, its signals, its exit code. */

/** Prints an unexpected failure. A stack trace helps only who changes the program. */
const reportDefect = (note: (message: string) => void, error: unknown, verbose: boolean): number => {
  const text = error instanceof Error ? error.message : String(error);
  note(`error: ${verbose && error instanceof Error ? (error.stack ?? text) : text}`);
  return exitCodes.failed;
};

/**
 * Runs the command line.
 *
 * @param signal aborts at Ctrl-C
 * @returns the exit code; when the signal has ended the command, its reason decides
 */
const main = async (args: readonly string[], own: Process, signal: AbortSignal): Promise<number> => {
  const terminal = openTerminal(own);
  let verbose = false;
  try {
    writeMissingContract();
    const source = { catalogue: readCatalogue(), version: readVersion() };
    const { runner, options } = parseArguments(args, source, terminal);
    verbose = options.verbose === true;
    return await runner({ terminal, signal, options, json: options.json === true, env: own.env });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (signal.aborted) {
      terminal.note('Interrupted.');
      return exitCodes.interrupted;
    }
    return reportDefect(terminal.note, error, verbose);
  }
};

const interrupted = new AbortController();
let signalCode: number | undefined;

/** The first signal ends the command in order. The second one ends the process at once. */
const onSignal = (code: number) => () => {
  signalCode = code;
  interrupted.abort();
};
process.once('SIGINT', onSignal(exitCodes.interrupted));
process.once('SIGTERM', onSignal(exitCodes.terminated));

// The reader of a pipe has enough: `returns list --all | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.ok);
});

const code = await main(process.argv.slice(2), process, interrupted.signal);
// Work without a signal, such as a verification, may still run.
if (signalCode !== undefined) process.exit(signalCode);
process.exitCode = code;

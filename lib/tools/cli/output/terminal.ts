import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { safeLines, safeText } from './safe-text.ts';

/** A stream that may be a terminal. */
type TtyStream<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number };

/** The streams and the environment of a process. */
export type Process = {
  readonly stdin: TtyStream<Readable>;
  readonly stdout: TtyStream<Writable>;
  readonly stderr: TtyStream<Writable>;
  readonly env: Readonly<Record<string, string | undefined>>;
};

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Style = keyof typeof styles;

/** Where a command prints: results to stdout, everything else to stderr. */
export type Terminal = {
  readonly stdin: Process['stdin'];
  readonly stdout: Process['stdout'];
  readonly stderr: Process['stderr'];
  /** Whether results have colours. */
  readonly colours: boolean;
  /** The number of columns of stdout; undefined where it is no terminal. */
  readonly width: number | undefined;
  /** Whether a person can answer a question. */
  readonly isInteractive: boolean;
  /** Whether stderr shows a line that is written again and again. */
  readonly showsProgress: boolean;
  /** Writes lines to stdout, and waits while its reader is slow. The lines must be safe. */
  readonly print: (lines: string) => Promise<void>;
  /** Writes a message to stderr. Unsafe characters become escapes. */
  readonly note: (message: string) => void;
  /** Styles a text of stdout; the text itself where colours are off. */
  readonly paint: (style: Style, text: string) => string;
};

/** Colours are for people: not in a pipe, not with NO_COLOR (https://no-color.org), not on a terminal without them. */
const hasColours = ({ stdout, env }: Process): boolean =>
  stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** Returns the output of a command. */
export const openTerminal = (own: Process): Terminal => {
  const { stdin, stdout, stderr } = own;
  const colours = hasColours(own);
  return {
    stdin,
    stdout,
    stderr,
    colours,
    width: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    showsProgress: stderr.isTTY === true && own.env['TERM'] !== 'dumb',
    print: async (lines) => {
      if (!stdout.write(`${lines}\n`)) await once(stdout, 'drain');
    },
    note: (message) => void stderr.write(`${safeLines(message)}\n`),
    paint: (style, text) => (colours ? `\u001b[${styles[style]}m${text}\u001b[0m` : text),
  };
};

const barWidth = 24;
const clearLine = '\r\u001b[2K';

/** Shows the progress of a long command. It writes nothing where stderr is no terminal. */
export type Progress = {
  /** @param total absent where it is unknown */
  readonly update: (text: string, done?: number, total?: number) => void;
  /** Removes the progress line. */
  readonly end: () => void;
};

/** Returns a bar such as `[######------------------] 25 %`. */
const barOf = (done: number, total: number): string => {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.round(share * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${Math.floor(share * 100)} %`;
};

/** Starts a progress line on stderr. */
export const openProgress = ({ showsProgress, stderr }: Pick<Terminal, 'showsProgress' | 'stderr'>): Progress => {
  if (!showsProgress) return { update: () => undefined, end: () => undefined };
  return {
    update: (text, done, total) => {
      const bar = done === undefined || total === undefined ? '' : `${barOf(done, total)}  `;
      const line = `${bar}${safeText(text)}`.slice(0, Math.max(20, (stderr.columns ?? 80) - 1));
      stderr.write(`${clearLine}${line}`);
    },
    end: () => void stderr.write(clearLine),
  };
};

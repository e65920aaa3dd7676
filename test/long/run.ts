import { rmSync } from 'node:fs';
import { onInterrupt, startNode, type Child } from './child.ts';
import { expectedSeconds } from './expected.ts';
import { blobFolder, kinds, partsOf, type Kind, type Part } from './parts.ts';
import { keyOf, readFinished, readSeconds, writeFinished, writeSeconds, type Finished } from './state.ts';

/*
 * npm run soak, fuzz, drill, chaos, test:busy, bench and coverage: runs the parts one after the other and reports the expected
 * time. A run can be interrupted and continued. Messages of the runner go to stderr, so that stdout has only the output of a
 * bench. Its last line counts the parts.
 */

const usage = `npm run <${kinds.join('|')}> -- [--fresh] [name …]

  --fresh     run every part, including those that an interrupted run has finished
  name        run only these parts: soak tests, benches, or test files (coverage, busy)

Ctrl-C ends the run with exit code 130 and stops all processes. The same command continues with the remaining parts, unless
sources or settings have changed.`;

const settingNames = ['RUNS', 'SEED', 'KILLS', 'STORIES', 'DECISIONS', 'SCHEDULES', 'FUZZ_REQUESTS'];
const settings = Object.fromEntries(settingNames.map((name) => [name, process.env[name]]));
const isSet = settingNames.some((name) => process.env[name] !== undefined);

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const spoken = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.round(seconds)} s`;
  return minutes < 10 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.round(seconds / 60)} min`;
};

type Run = {
  readonly kind: Kind;
  readonly parts: readonly Part[];
  readonly key: string;
  /** The parts that passed earlier and are not selected now. */
  readonly others: Finished;
  readonly finished: Record<string, number>;
  readonly failed: Set<string>;
  /** Whether each part runs in full, without settings. */
  readonly isUsual: boolean;
  child: Child | undefined;
  exitCode: number | undefined;
};

/** Returns the expected seconds of a part: the last record of this machine, or the value of the table. */
const expectation = ({ kind }: Run) => {
  const last = readSeconds(kind);
  return (name: string): number | undefined => last[name] ?? expectedSeconds[kind][name];
};

const total = (names: readonly string[], of: (name: string) => number | undefined): string => {
  const known = names.map(of).filter((seconds) => seconds !== undefined);
  const unknown = names.length - known.length;
  const sum = spoken(known.reduce((all, seconds) => all + seconds, 0));
  if (unknown === names.length) return 'unknown, no run is recorded yet';
  return unknown === 0 ? `about ${sum}` : `about ${sum}, and ${unknown} parts of unknown length`;
};

const left = ({ parts, finished }: Run): readonly string[] =>
  parts.map(({ name }) => name).filter((name) => finished[name] === undefined);

const reportPlan = (run: Run): void => {
  const { kind, parts, finished } = run;
  const done = Object.keys(finished).length;
  const todo = left(run);
  const isContinued = done > 0 ? `; ${done} are finished and are skipped (--fresh runs all)` : '';
  say(`${kind}: ${parts.length} parts${isContinued}. Expected time: ${total(todo, expectation(run))}.`);
  if (isSet) say('Environment variables change the duration.');
  say('Ctrl-C interrupts the run. The same command continues it.');
};

const heartbeatMs = 30_000;

const runPart = async (run: Run, part: Part): Promise<void> => {
  const { kind, parts, key, others, finished, failed } = run;
  const { name, args, env } = part;
  const expected = expectation(run)(name);
  const label = `[${parts.indexOf(part) + 1}/${parts.length}] ${name}`;
  const remaining = total(left(run), expectation(run));
  say(
    `\n${label}. Expected time: ${expected === undefined ? 'unknown' : `about ${spoken(expected)}`}; remaining: ${remaining}.`,
  );
  const startedAt = Date.now();
  const seconds = () => Math.max(1, Math.round((Date.now() - startedAt) / 1000));
  const beat = setInterval(
    () => say(`${label}: ${spoken(seconds())}${expected === undefined ? '' : ` of about ${spoken(expected)}`}`),
    heartbeatMs,
  );
  run.child = startNode(args, env);
  const code = await run.child.ended;
  clearInterval(beat);
  run.child = undefined;
  if (run.exitCode !== undefined) return;
  if (code !== 0) {
    failed.add(name);
    return;
  }
  finished[name] = seconds();
  writeFinished(kind, key, { ...others, ...finished });
  // Settings change the duration of a part, so it is no estimate for the next run.
  if (run.isUsual) writeSeconds(kind, name, seconds());
};

const summarise = ({ kind, parts, finished, failed, exitCode }: Run): void => {
  say('');
  for (const { name } of parts) {
    const took = finished[name];
    const outcome = took === undefined ? (failed.has(name) ? 'FAILED' : 'not run') : `ok, ${spoken(took)}`;
    say(`${name.padEnd(20)}${outcome}`);
  }
  const done = `${kind}: ${Object.keys(finished).length} of ${parts.length} parts finished, ${failed.size} failed`;
  say(exitCode === undefined ? `${done}.` : `${done}. Interrupted: the same command continues the run.`);
  say(`${Object.keys(finished).length} passed, ${failed.size} failed`);
};

const execute = async (run: Run): Promise<number> => {
  onInterrupt((exitCode) => {
    run.exitCode = exitCode;
    say('\nEnding …');
    run.child?.end();
  });
  reportPlan(run);
  for (const part of run.parts) {
    if (run.exitCode !== undefined) break;
    if (run.finished[part.name] !== undefined) continue;
    // A merge without all shards has no meaning.
    if (part.name === 'merge' && run.failed.size > 0) break;
    await runPart(run, part);
  }
  summarise(run);
  if (run.exitCode === undefined && run.failed.size === 0) writeFinished(run.kind, run.key, run.others);
  return run.exitCode ?? (run.failed.size > 0 ? 1 : 0);
};

/**
 * Separates names from options.
 * Options of a bench have a value, except two. For other kinds, all later arguments are options.
 */
const split = (kind: Kind, args: readonly string[]): { readonly names: string[]; readonly options: string[] } => {
  const names: string[] = [];
  const options: string[] = [];
  let takes = 0;
  for (const arg of args) {
    const isOption = arg.startsWith('-');
    if (isOption)
      takes = kind !== 'bench' ? Infinity : ['--store', '--help'].includes(arg) || arg.includes('=') ? 0 : 1;
    if (isOption) options.push(arg);
    else if (takes > 0) {
      takes -= 1;
      options.push(arg);
    } else names.push(arg);
  }
  return { names, options };
};

const begin = async ([kindName, ...args]: readonly string[]): Promise<number> => {
  const kind = kinds.find((one) => one === kindName);
  if (kind === undefined) {
    say(usage);
    return 2;
  }
  if (args.includes('--help') && kind !== 'bench' && kind !== 'chaos') {
    say(usage);
    return 0;
  }
  const fresh = args.includes('--fresh');
  const rest = args.filter((arg) => arg !== '--fresh' && arg !== '--continue');
  const { names, options } = split(kind, rest);
  const found = partsOf(kind, { names, options });
  // For these two, names select test files, and change the duration of each part.
  const isUsual = !isSet && options.length === 0 && ((kind !== 'coverage' && kind !== 'busy') || names.length === 0);
  if ('failure' in found) {
    say(`${found.failure}\n\n${usage}`);
    return 2;
  }
  const { parts } = found;
  // Only the shards of a coverage depend on the selected files.
  const key = keyOf([settings, options, kind === 'coverage' ? names : []]);
  const before = fresh ? {} : readFinished(kind, key);
  const selected = new Set(parts.map(({ name }) => name));
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => !selected.has(name)));
  const finished = Object.fromEntries(Object.entries(before).filter(([name]) => selected.has(name)));
  if (kind === 'coverage' && Object.keys(finished).length === 0) rmSync(blobFolder, { recursive: true, force: true });
  const state = { child: undefined, exitCode: undefined };
  return execute({ kind, parts, key, others, finished, failed: new Set(), isUsual, ...state });
};

process.exitCode = await begin(process.argv.slice(2));

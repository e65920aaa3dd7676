import { openBundles } from './bundles.ts';
import { runDemo } from './demo/demo.ts';
import { markLogs } from './demo/log-excerpt.ts';
import { openProgress, type Progress } from './demo/progress.ts';
import { openRecorder } from './demo/recorder.ts';
import { runSeed } from './demo/seed.ts';
import { StepError } from './demo/step.ts';
import { timelineRow } from './demo/timeline.ts';
import { environmentFile, removeEnvironment, shellWord, writeEnvironment } from './env-file.ts';
import type { Stack } from './stack.ts';
import type { StartOptions } from './start-command.ts';
import { startWaits, type WaitFor } from './waits.ts';

const periodMs = 2_000;

/**
 * Calls back when npm has started this process and ends: a killed npm does not end its children. The end of a shell
 * does not count, since `nohup` leaves a stack running.
 */
const onParentEnd = (ended: () => void): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, periodMs);
  timer.unref();
};

const closing = ({ info }: Stack, { dataDir, platforms }: StartOptions, id: string): readonly string[] => [
  `Connected mode   ${info.connected.url}/v1   the integration of a Returns Service`,
  `Standalone mode  ${info.standalone.url}/v1   the Returns Service itself`,
  `Webhooks         ${info.hooks.url}/webhooks/${platforms.includes(',') ? `{${platforms}}` : platforms}`,
  ...(info.web === undefined
    ? []
    : [
        `Console          ${info.web.url}/console   sign in as ${info.console.users.map(({ name }) => name).join(', ')}`,
        `Reference        ${info.web.url}/docs`,
        `Withdrawals      ${info.web.url}/withdraw`,
      ]),
  `Events           ${info.aws.eventBridge}/events`,
  `Logs             ${dataDir}/logs/`,
  '',
  'In another terminal, in this folder:',
  `  source ${shellWord(environmentFile(dataDir))}`,
  `  api /returns/${id} | pick status`,
  '',
  'Ctrl-C ends the stack.',
];

/** The messages of a failure, innermost last. */
const messagesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : messagesOf(error.cause))]
    : [String(error)];

/** Formats a failure: the messages, the explaining log lines, and the next step. */
const failure = (error: unknown, { dataDir, verbose }: StartOptions, explain: () => readonly string[]): string => {
  const [first = '', ...causes] = messagesOf(error);
  const excerpt = error instanceof StepError ? error.excerpt : explain();
  return [
    '',
    `${first}.`,
    ...causes.map((cause) => `  Cause: ${cause}`),
    ...excerpt,
    `Read ${dataDir}/logs/, or start again with ${verbose ? '' : '--verbose, or '}--fresh, which deletes earlier data.`,
  ].join('\n');
};

const bundlesTitles = {
  bundle: 'Bundle the functions of both modes, about 10 s',
  package: 'Package both modes as CloudFormation',
} as const;

const bundlesSubjects = {
  bundle: { what: 'the bundles', remedy: 'free CPU or memory, and start again' },
  package: { what: 'osls, which packages both modes', remedy: 'run `npm run package` to see why' },
} as const;

/** Another process bundles. Meanwhile this one loads the stack, which takes a second, and starts external services. */
const startAll = async (options: StartOptions, progress: Progress, waitFor: WaitFor) => {
  const { dataDir, fresh, sharedToken, returnTerms, platforms, ports, engine, maps } = options;
  const recorder = openRecorder();
  const bundles = openBundles({
    maps,
    step: (name, work) =>
      progress.step(bundlesTitles[name], () => waitFor(bundlesSubjects[name], (wait) => work(wait.progress))),
  });
  const root = bundles.then((built) => built.root);
  const settings = { dataDir, root, light: true, fresh, sharedToken, returnTerms, platforms, ports, engine, waitFor };
  const starting = import('./stack.ts').then(({ startStack }) => startStack({ ...settings, onEvent: recorder.record }));
  // It fails in the step below, which begins after the build.
  starting.catch(() => undefined);
  await bundles;
  const stack = await progress.step('Start both modes and their emulators', () => starting);
  return { stack, recorder };
};

/** Runs the demo, prints the next steps, and runs the stack until it is stopped. Then ends everything in order. */
export const run = async (options: StartOptions): Promise<void> => {
  const { dataDir, once, verbose } = options;
  const progress = openProgress((text) => process.stdout.write(text));
  const waitFor = startWaits((lines) => progress.print(...lines), once);
  const explain = markLogs(dataDir);
  const started = Date.now();
  let stack: Stack | undefined;
  let ending = false;

  /** Ends everything in order. The exit of this process ends the rest. */
  const end = async (code: number): Promise<void> => {
    if (ending) process.exit(code);
    ending = true;
    await removeEnvironment(dataDir);
    await stack?.close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(once ? 130 : 0));
  onParentEnd(() => void end(0));

  try {
    const up = await startAll(options, progress, waitFor);
    stack = up.stack;
    await writeEnvironment(dataDir, stack.info);
    const demo = { ...up, progress, waitFor, dataDir, verbose };
    const { id, token } = await runDemo(demo);
    const isSeeded = !options.seed || (await runSeed(demo, token));
    if (once) await end(isSeeded ? 0 : 1);
    progress.print(...closing(stack, options, id));
    if (verbose) up.recorder.follow((event) => progress.print(timelineRow(event, started)));
  } catch (error) {
    if (ending) return;
    console.error(failure(error, options, explain));
    await end(1);
  }
};

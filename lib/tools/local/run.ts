import { join } from 'node:path';
import { openBundles } from './bundles.ts';
import { closing } from './closing.ts';
import { runAdapterDemo } from './demo/adapter-demo.ts';
import { runDemo } from './demo/demo.ts';
import { markLogs } from './demo/log-excerpt.ts';
import { runOwnServiceDemo } from './demo/own-service-demo.ts';
import { openProgress, type Progress } from './demo/progress.ts';
import { openRecorder } from './demo/recorder.ts';
import { runSeed } from './demo/seed.ts';
import { startFailure } from './demo/start-failure.ts';
import type { Demo } from './demo/step.ts';
import { timelineRow } from './demo/timeline.ts';
import { clientFolder, type Offer } from '../template/offer.ts';
import { removeEnvironment, writeEnvironment } from './env-file.ts';
import type { Stack } from './stack.ts';
import type { StartOptions } from './start-command.ts';
import { startWaits, type WaitFor } from './waits.ts';

const periodMs = 2_000;

const platformNames = (platforms: string): readonly string[] => platforms.split(',').map((name) => name.trim());

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

/** The titles of the first steps, and what they wait for. */
const textsOf = (offer: Offer | undefined) => {
  const [what, its] =
    offer?.adapter === undefined ? ['both modes', 'their'] : [`the adapter ${offer.adapter.name}`, 'its'];
  return {
    bundle: {
      title: `Bundle the functions of ${what}, about 10 s`,
      subject: { what: 'the bundles', remedy: 'free CPU or memory, and start again' },
    },
    package: {
      title: `Package ${what} as CloudFormation`,
      subject: { what: `osls, which packages ${what}`, remedy: 'run `npm run package` to see why' },
    },
    start: `Start ${what} and ${its} emulators`,
  };
};

/** Another process bundles. Meanwhile this one loads the stack, which takes a second, and starts external services. */
const startAll = async (options: StartOptions, progress: Progress, waitFor: WaitFor) => {
  const { offer, ownService, dataDir, fresh, sharedToken, returnTerms, seed, platforms, ports, engine, maps } = options;
  const texts = textsOf(offer);
  const recorder = openRecorder();
  const bundles = openBundles({
    maps,
    offer,
    step: (name, work) =>
      progress.step(texts[name].title, () => waitFor(texts[name].subject, (wait) => work(wait.progress))),
  });
  const root = bundles.then((built) => built.root);
  const settings = {
    offer,
    ownService,
    dataDir,
    root,
    light: true,
    fresh,
    sharedToken,
    returnTerms,
    fourEyes: seed,
    platforms,
    ports,
    engine,
    waitFor,
  };
  const starting = import('./stack.ts').then(({ startStack }) =>
    startStack({
      writeBack: platforms,
      shops: platformNames(platforms),
      mailSender: 'returns@shop.example',
      ...settings,
      onEvent: recorder.record,
    }),
  );
  // It fails in the step below, which begins after the build.
  starting.catch(() => undefined);
  await bundles;
  const stack = await progress.step(texts.start, () => starting);
  return { stack, recorder, cli: offer && join(await root, clientFolder(offer), 'cli/returns.js') };
};

/** Runs the demo, and makes the returns of the option --seed. */
const runDemos = async (demo: Demo, { offer, ownService, seed }: StartOptions) => {
  if (ownService !== undefined) return { ...(await runOwnServiceDemo(demo, ownService)), isSeeded: true };
  if (offer !== undefined) return { ...(await runAdapterDemo(demo)), isSeeded: true };
  const { id, token } = await runDemo(demo);
  return { id, isSeeded: !seed || (await runSeed(demo, token)) };
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
    await writeEnvironment(dataDir, stack.info, up.cli);
    const demo = { ...up, progress, waitFor, dataDir, verbose };
    const { id, isSeeded } = await runDemos(demo, options);
    if (once) await end(isSeeded ? 0 : 1);
    progress.print(...closing(stack, options, id));
    if (verbose) up.recorder.follow((event) => progress.print(timelineRow(event, started)));
  } catch (error) {
    if (ending) return;
    console.error(startFailure(error, options, explain));
    await end(1);
  }
};

import { join } from 'node:path';
import { markLogs } from './log-excerpt.ts';
import type { Progress } from './progress.ts';
import type { Recorder } from './recorder.ts';
import type { Stack } from '../stack.ts';
import type { Wait, WaitFor } from '../waits.ts';
import { timelineRows } from './timeline.ts';

export type Demo = {
  readonly stack: Stack;
  readonly recorder: Recorder;
  readonly progress: Progress;
  readonly waitFor: WaitFor;
  /** The folder with the logs of the functions. */
  readonly dataDir: string;
  /** Whether calls, messages and schedules are printed too. */
  readonly verbose: boolean;
};

/** A step that failed, with the lines of the functions' logs that explain it. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly excerpt: readonly string[];

  constructor(title: string, excerpt: readonly string[], cause: unknown) {
    super(`The step "${title}" failed`, { cause });
    this.excerpt = excerpt;
  }
}

/** Runs a step on a line of its own. */
export const runStep = async <Result>(
  { recorder, progress, waitFor, dataDir, verbose }: Demo,
  title: string,
  run: (wait: Wait) => Promise<Result>,
  show: (result: Result) => string,
): Promise<Result> => {
  const mark = recorder.mark();
  const start = Date.now();
  const explain = markLogs(dataDir);
  const subject = {
    what: `the step "${title}"`,
    log: join(dataDir, 'logs'),
    remedy: 'start again with --verbose or --fresh',
  };
  const work = async () => {
    try {
      return await waitFor(subject, run);
    } catch (error) {
      throw new StepError(title, explain(), error);
    }
  };
  try {
    return await progress.step(title, work, show);
  } finally {
    if (verbose) progress.print(...timelineRows(recorder.since(mark), start));
  }
};

import { relative } from 'node:path';
import { TestRunner, type RunnerTask, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { samples, type Sample } from './samples.ts';
import './run-scope.ts';

const titleOf = (task: RunnerTask): string =>
  task.suite === undefined ? task.name : `${titleOf(task.suite)} ${task.name}`.trim();

/** Keeps the first of each `each` tests of a file that a sample names, in the order of the file. */
const keepSample = (file: RunnerTestFile, { titles, each }: Sample): void => {
  let count = 0;
  const isKept = (task: RunnerTask): boolean => {
    if (task.type === 'suite') {
      keepTasks(task);
      return task.tasks.length > 0;
    }
    if (titles?.test(titleOf(task)) === false) return true;
    count += 1;
    return count % each === 1;
  };
  const keepTasks = (suite: RunnerTestSuite): void => {
    suite.tasks = suite.tasks.filter(isKept);
  };
  keepTasks(file);
};

/**
 * Runs the tests of a file. In a run of all files it runs of some lists of cases a sample, which `samples` names; a file
 * that is named on the command line, and `npm run soak`, run every case.
 */
export default class SampledRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    if (process.env['EVERY_CASE'] === '1' || this.injectValue('allFiles') !== true) return;
    for (const file of files) {
      const name = relative(process.cwd(), file.filepath);
      for (const sample of samples) if (sample.files.test(name)) keepSample(file, sample);
    }
  }
}

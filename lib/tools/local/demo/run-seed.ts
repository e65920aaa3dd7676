import { messageOf } from './call.ts';
import { seed } from './seed.ts';
import { type Demo, runStep } from './step.ts';

/**
 * Makes the returns of an invented shop as a step of the start. A failure is printed in one line, and the stack goes on.
 *
 * @returns whether it succeeded
 */
export const runSeed = async (demo: Demo, token: string): Promise<boolean> => {
  const { stack, progress } = demo;
  try {
    const { rejected } = await runStep(
      demo,
      'Make the returns of an invented shop',
      (wait) => seed(stack.info.standalone.url, token, Date.now(), wait),
      ({ returns }) => `${returns} returns`,
    );
    const [first] = rejected;
    if (first !== undefined)
      progress.print(`  A rule of this stack kept ${rejected.length} of them from their status. The first: ${first}`);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    progress.print(
      `  The seed stopped: ${messageOf(cause)}`,
      '  The stack runs. To continue the seed, start it again with --seed.',
    );
    return false;
  }
};

import { seed } from './seed.ts';
import { type Demo, runStep } from './step.ts';

/** Makes the returns of an invented shop as a step of the start. */
export const runSeed = async (demo: Demo, token: string): Promise<void> => {
  await runStep(
    demo,
    'Make the returns of an invented shop',
    ({ signal }) => seed(demo.stack.info.standalone.url, token, Date.now(), signal),
    (count) => `${count} returns`,
  );
};

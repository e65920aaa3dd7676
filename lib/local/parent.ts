const periodMs = 500;

/**
 * Calls back once the process that started this one has ended, where that is npm: npm that is killed takes nothing with
 * it. A shell may end and leave a stack running, as `nohup` has it.
 */
export const onParentEnd = (ended: () => void): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, periodMs);
  timer.unref();
};

import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';

const states = async (pid: number): Promise<readonly string[]> => {
  const threads = await readdir(`/proc/${pid}/task`);
  const lines = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')));
  return lines.map((line) => /\) (\w) /.exec(line)?.[1] ?? '');
};

/** Stops every thread of a process, as Lambda does between two events. Resolves once all have stopped. */
export const stop = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  for (;;) {
    const found = await states(pid);
    if (found.every((state) => state === 'T')) return;
    if (found.includes('Z')) throw new Error('the process has ended');
    await turn();
  }
};

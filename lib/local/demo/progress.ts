/** Where the time of a step stands. */
const titleWidth = 64;

const seconds = (ms: number): string => `${(Math.max(0, ms) / 1000).toFixed(1)} s`.padStart(7);

export type Progress = {
  /** Shows that a step has begun, does it, and completes the line with its time and its result. */
  readonly step: <Result>(
    title: string,
    work: () => Promise<Result>,
    show?: (result: Result) => string,
  ) => Promise<Result>;
  /** Prints lines between steps, or below the one that runs. */
  readonly print: (...lines: readonly string[]) => void;
  /** How many steps are done, and how long it is since the first began. */
  readonly total: () => { readonly steps: number; readonly ms: number };
};

/**
 * One line for each step: its title as it begins, its time and result as it ends. A line that is not complete yet says
 * what the program is doing.
 *
 * @param write takes text as it comes, without a newline of its own
 */
export const openProgress = (write: (text: string) => void): Progress => {
  let steps = 0;
  let first: number | undefined;
  let isOpen = false;
  const close = () => {
    if (isOpen) write('\n');
    isOpen = false;
  };
  return {
    step: async (title, work, show = () => '') => {
      const begin = Date.now();
      first ??= begin;
      close();
      const shown = `  ${title}`.padEnd(titleWidth);
      write(shown);
      isOpen = true;
      const end = (result: string) => {
        const text = `${seconds(Date.now() - begin)}${result === '' ? '' : `  ${result}`}\n`;
        // Other lines came in between: the title is said again.
        write(isOpen ? text : `${shown}${text}`);
        isOpen = false;
      };
      try {
        const result = await work();
        end(show(result));
        steps += 1;
        return result;
      } catch (error) {
        end('failed');
        throw error;
      }
    },
    print: (...lines) => {
      close();
      for (const line of lines) write(`${line}\n`);
    },
    total: () => ({ steps, ms: Date.now() - (first ?? Date.now()) }),
  };
};

/** The column of a step's duration. */
const titleWidth = 64;

const seconds = (ms: number): string => `${(Math.max(0, ms) / 1000).toFixed(1)} s`.padStart(7);

export type Progress = {
  /** Prints the title of a step, runs it, and completes the line with its duration and result. */
  readonly step: <Result>(
    title: string,
    work: () => Promise<Result>,
    show?: (result: Result) => string,
  ) => Promise<Result>;
  /** Prints lines between steps, or below the running step. */
  readonly print: (...lines: readonly string[]) => void;
};

/**
 * Prints one line per step: the title at its beginning, the duration and the result at its end. An incomplete line
 * shows the running step.
 *
 * @param write takes text as it comes, without a newline of its own
 */
export const openProgress = (write: (text: string) => void): Progress => {
  let isOpen = false;
  const close = () => {
    if (isOpen) write('\n');
    isOpen = false;
  };
  return {
    step: async (title, work, show = () => '') => {
      const begin = Date.now();
      close();
      const shown = `  ${title}`.padEnd(titleWidth);
      write(shown);
      isOpen = true;
      const end = (result: string) => {
        const text = `${seconds(Date.now() - begin)}${result === '' ? '' : `  ${result}`}\n`;
        // Other lines were printed in between, so the title is repeated.
        write(isOpen ? text : `${shown}${text}`);
        isOpen = false;
      };
      try {
        const result = await work();
        end(show(result));
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
  };
};

/** Collects what must be undone, last first: also when only half of it came up. */
export const openClosers = () => {
  const closers: (() => Promise<void>)[] = [];
  return {
    add: (close: () => Promise<void>) => void closers.push(close),
    close: async () => {
      while (closers.length > 0) await closers.pop()?.();
    },
  };
};

export type Closers = ReturnType<typeof openClosers>;

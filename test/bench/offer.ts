/* The other side of remote.ts: what a process offers to the one that started it. */

export type Procedures = Readonly<Record<string, (input: never) => Promise<unknown>>>;

export type Call = { readonly procedure: string; readonly input: unknown };
export type Answer = { readonly value?: unknown; readonly reason?: string };

/** Answers the parent's calls until it disconnects. Then it calls `close` and ends the process. */
export const offer = (procedures: Procedures, close: () => Promise<void> = async () => undefined): void => {
  const answer = async ({ procedure, input }: Call): Promise<Answer> => {
    try {
      return { value: await procedures[procedure]?.(input as never) };
    } catch (error) {
      return { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (call: Call) => void answer(call).then((result) => process.send?.(result)));
  // Ctrl-C reaches the whole group of processes. The parent ends this process in order.
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => void close().finally(() => process.exit(0)));
};

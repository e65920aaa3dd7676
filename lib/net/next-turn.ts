/** Resolves in the event loop's next turn: once it has looked what came in, and after what was begun in this one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/*
 * A container: one bundle in its own process, which calls the exports of the bundle. Its wall clock can be moved
 * forward, as after a freeze.
 */

export type Word =
  | { readonly sleep: number }
  | { readonly id: number; readonly name: string; readonly args: readonly unknown[] };
/** The first reply, of id 0, reports that the bundle is loaded. */
export type Reply = { readonly id: number; readonly value?: unknown; readonly failure?: string };

const say = (reply: Reply): void => void process.send?.(reply);

const now = Date.now.bind(Date);
let asleep = 0;
Date.now = () => now() + asleep;

const exported = (await import(process.argv[2] ?? '')) as Record<string, (...args: unknown[]) => unknown>;

process.on('message', (word: Word) => {
  if ('sleep' in word) {
    asleep += word.sleep;
    return;
  }
  const end = now() + 10_000;
  // Lambda's context of an invocation.
  const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => end - now() };
  Promise.resolve(exported[word.name]?.(...word.args, context)).then(
    (value) => say({ id: word.id, value }),
    (error: unknown) => say({ id: word.id, failure: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
say({ id: 0 });

import type { Readable } from 'node:stream';

/**
 * Resolves once a program has printed a text. Its later output is dropped.
 *
 * @throws {Error} with the end of the output when the program ends first
 */
export const printed = async (output: Readable, wanted: string, ended: Promise<unknown>): Promise<void> => {
  let text = '';
  const found = new Promise<void>((resolve) => {
    output.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
      if (text.includes(wanted)) resolve();
    });
  });
  const early = ended.then(() => {
    throw new Error(`the program ended before it printed "${wanted}":\n${text.slice(-2_000)}`);
  });
  await Promise.race([found, early]);
  // Its end is no failure from now on.
  early.catch(() => undefined);
};

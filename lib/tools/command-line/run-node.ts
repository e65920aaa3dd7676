import { spawn } from 'node:child_process';

const shownLength = 4_000;

/**
 * Runs a script with this Node.
 *
 * @param args the script, then its arguments
 * @param cwd where it runs; the working directory by default
 * @param onOutput reports that the script has printed something
 * @throws {Error} with the last lines of its output, when it fails
 */
export const runNode = async (
  args: readonly string[],
  cwd = process.cwd(),
  onOutput: () => void = () => undefined,
): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const append = (text: string) => {
    output = (output + text).slice(-shownLength);
    onOutput();
  };
  child.stdout.setEncoding('utf8').on('data', append);
  child.stderr.setEncoding('utf8').on('data', append);
  const end = () => child.kill();
  process.once('exit', end);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  process.off('exit', end);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
};

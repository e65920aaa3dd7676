import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ways } from '../build/functions.ts';

/** Runs a script of ours or of a tool with this Node, and fails with the last words of one that fails. */
const run = async (...[script, ...given]: [string, ...string[]]): Promise<void> => {
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  const hear = (text: string) => (words = (words + text).slice(-4_000));
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const end = () => child.kill();
  process.once('exit', end);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  process.off('exit', end);
  if (code !== 0) throw new Error(`${script} ${given.join(' ')} ended with ${code}:\n${words}`);
};

/** Bundles every function for both ways, into dist/<way>/. Maps make it a third slower. */
export const buildBundles = ({ maps = true } = {}): Promise<void> =>
  run('lib/build/build.ts', ...(maps ? [] : ['--without-maps']));

/**
 * Packages both ways as a deployment would, into dist/package/<way>/. Needs the bundles. One after the other: osls works
 * in .serverless/ whatever folder it is told to leave its result in.
 */
export const packageWays = async (): Promise<void> => {
  const osls = join('node_modules', '.bin', 'osls');
  for (const way of ways) await run(osls, 'package', '--package', `dist/package/${way}`, '--param', `way=${way}`);
};

/** All that a stack of the tests needs in dist/: nobody reads maps of it. */
export const buildAndPackage = async (): Promise<void> => {
  await buildBundles({ maps: false });
  await packageWays();
};

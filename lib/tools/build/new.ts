import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { openPlaces } from './operations/check-operations.ts';
import { planOperation } from './operations/new-operation.ts';
import { kebabCase, kinds } from './operations/stubs.ts';
import { runNode } from '../command-line/run-node.ts';

const command: Command = {
  call: 'npm run new',
  about: 'Writes the stubs of an operation. They fail until they are filled in.',
  options: {
    resource: {
      type: 'string',
      value: '<name>',
      about: 'A folder of lib/contract, or one of its files: returns, returns/money.',
    },
    kind: { type: 'string', value: '<kind>', about: `${Object.keys(kinds).join(', ')}.` },
  },
  operands: { value: 'operation <name>', about: 'The name in camel case, a verb and an object: pauseReturn.' },
};

const main = async (): Promise<void> => {
  const { values, operands } = readCommandLine(command);
  const [what, name = '', ...more] = operands;
  if (what !== 'operation' || name === '' || more.length > 0)
    return endWithUsageError(command, 'Name what to add: operation <name>.');
  const { resource, kind } = values;
  if (typeof resource !== 'string' || typeof kind !== 'string')
    return endWithUsageError(command, 'Name the resource and the kind: --resource <name> --kind <kind>.');
  const planned = planOperation({ name, resource, kind });
  if (!planned.ok) return endWithUsageError(command, planned.failure);
  for (const [file, text] of planned.files) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await runNode(['node_modules/.bin/oxfmt', '--write', ...planned.files.keys()]);
  console.log(
    `Fill in:\n\n${openPlaces()
      .map(({ line }) => line)
      .join('\n')}\n`,
  );
  console.log(`Next steps:
1. Fill in the places in lib. \`npm run generate\` lists those that are left, then writes the function and the port.
2. Fill in the test, and run it: npm test -- --no-check test/contract/${kebabCase(name)}
3. Add what \`npm run generate\` still lists: cases of the tests, and rows of the guides.
4. Run npm test.`);
};

await main();

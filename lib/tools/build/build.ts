import { readCommandLine } from '../command-line/command-line.ts';
import { areGeneratedCurrent } from './generated-hash.ts';

const { values } = readCommandLine({
  call: 'npm run build',
  about: 'Bundles the functions of both modes and the client into dist/, in about 10 s.',
  options: {
    contract: { type: 'boolean', about: 'Only generates dist/ from lib/contract.' },
    'if-changed': { type: 'boolean', about: 'With --contract: does nothing when dist/ has the files of the sources.' },
    client: { type: 'boolean', about: 'Only writes the client package, in about 15 s.' },
    sources: { type: 'boolean', about: 'Also generates the committed files from lib/contract.' },
    adapter: { type: 'string', value: '<name>', about: 'Bundles the deployment of an adapter instead of both modes.' },
    'source-maps': { type: 'boolean', about: 'Writes source maps next to the bundles (300 MB).' },
    root: { type: 'string', value: '<folder>', about: 'Writes dist/ into another folder, which must be empty.' },
  },
});

/**
 * Prints what operations lack. It exits when nothing can be generated. Otherwise `npm run generate` fails at its end, and
 * other builds go on: an operation runs without its guides and tests.
 */
const reportUnfinished = async (generates: boolean): Promise<void> => {
  const { unfinished } = await import('./operations/check-operations.ts');
  const missing = await unfinished();
  const isBlocked = missing.some(({ isFirst }) => isFirst);
  if (missing.length === 0 || (!generates && !isBlocked)) return;
  console.error(missing.map(({ line }) => line).join('\n'));
  process.exitCode = 1;
  if (!isBlocked) return;
  console.error('Nothing is generated. Complete the files in lib, then run `npm run generate` again.');
  process.exit();
};

await reportUnfinished(values['sources'] === true);
// The files of an adapter have no hash of their own.
const mayStay = values['contract'] === true && values['if-changed'] === true && values['adapter'] === undefined;
if (mayStay && areGeneratedCurrent('dist')) process.exit();
// The compilers take a second to load, so the arguments and the operations are checked first.
const { buildAll } = await import('./build-all.ts');
const { readAdapter } = await import('../template/adapters/read-adapter.ts');
const name = values['adapter'];
const adapter = typeof name === 'string' ? await readAdapter(name) : undefined;
if (adapter?.ok === false) {
  console.error(`--adapter: ${adapter.failure}`);
  process.exit(2);
}
await buildAll({
  contractOnly: values['contract'] === true,
  clientOnly: values['client'] === true,
  sources: values['sources'] === true,
  maps: values['source-maps'] === true,
  adapter: adapter?.value,
  root: typeof values['root'] === 'string' ? values['root'] : undefined,
});

import { readCommandLine } from '../cli/command-line.ts';

const { values } = readCommandLine({
  call: 'npm run build',
  about: 'Bundles the functions of both modes and the client into dist/, in about 10 s.',
  options: {
    contract: { type: 'boolean', about: 'Only generates dist/ from lib/contract.' },
    sources: { type: 'boolean', about: 'Also generates the committed files from lib/contract.' },
    'source-maps': { type: 'boolean', about: 'Writes source maps next to the bundles (300 MB).' },
    root: { type: 'string', value: '<folder>', about: 'Writes dist/ into another folder, which must be empty.' },
  },
});
// The compilers take a second to load, so the arguments are checked first.
const { buildAll } = await import('./build-all.ts');
await buildAll({
  contractOnly: values['contract'] === true,
  sources: values['sources'] === true,
  maps: values['source-maps'] === true,
  root: typeof values['root'] === 'string' ? values['root'] : undefined,
});

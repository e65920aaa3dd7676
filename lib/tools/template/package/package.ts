import { readCommandLine } from '../../command-line/command-line.ts';
import { modes } from '../functions/function-row.ts';
import { packageMode } from './package-mode.ts';
import { runNode } from '../../command-line/run-node.ts';

readCommandLine({
  call: 'npm run package',
  about:
    'Builds both modes and packages them as CloudFormation: dist/<mode>/ and dist/package/<mode>/. Needs no credentials.',
  options: {},
});
console.log('Bundling the functions of both modes, about 10 s.');
await runNode(['lib/tools/build/build.ts']);
console.log('Packaging both modes.');
await Promise.all(modes.map((mode) => packageMode('.', mode)));
for (const mode of modes) console.log(`dist/${mode}/ and dist/package/${mode}/ are complete.`);

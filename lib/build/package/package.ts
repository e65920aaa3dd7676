import { readCommandLine } from '../../cli/command-line.ts';
import { ways } from '../functions.ts';
import { packageWay } from './package-way.ts';
import { runNode } from '../run-node.ts';

readCommandLine({
  call: 'npm run package',
  about:
    'Builds both modes and packages them as CloudFormation: dist/<mode>/ and dist/package/<mode>/. Needs no credentials.',
  options: {},
});
console.log('Bundling the functions of both modes, about 15 s.');
await runNode(['lib/build/build.ts']);
console.log('Packaging both modes.');
await Promise.all(ways.map((way) => packageWay('.', way)));
for (const way of ways) console.log(`dist/${way}/ and dist/package/${way}/ are written.`);

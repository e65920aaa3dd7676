import { readCommandLine } from '../../command-line/command-line.ts';
import { packageOffer } from './package-offer.ts';
import { runNode } from '../../command-line/run-node.ts';
import { offers } from '../offer.ts';

readCommandLine({
  call: 'npm run package',
  about:
    'Builds both modes and packages them as CloudFormation: dist/<mode>/ and dist/package/<mode>/. Needs no credentials.',
  options: {},
});
console.log('Bundling the functions of both modes, about 10 s.');
await runNode(['lib/tools/build/build.ts']);
console.log('Packaging both modes.');
const packaged = Object.values(offers);
await Promise.all(packaged.map((offer) => packageOffer('.', offer)));
for (const { folder } of packaged) console.log(`dist/${folder}/ and dist/package/${folder}/ are complete.`);

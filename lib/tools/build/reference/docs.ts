import { readCommandLine } from '../../command-line/command-line.ts';

const { values } = readCommandLine({
  call: 'npm run docs',
  about: 'Writes the reference of the API: HTML, Markdown, llms.txt and a collection for Postman and Bruno.',
  options: {
    out: { type: 'string', value: '<folder>', about: 'The folder; dist/docs or dist/adapters/<name>/reference.' },
    adapter: { type: 'string', value: '<name>', about: 'Describes the deployment of an adapter.' },
  },
});
// The contract takes a second to load: arguments are checked before.
const { writeReference } = await import('./write-reference.ts');
const { readAdapter } = await import('../../template/adapters/read-adapter.ts');
const { offers } = await import('../../template/offer.ts');
const { adapter: name, out } = values;
const adapter = typeof name === 'string' ? await readAdapter(name) : undefined;
if (adapter?.ok === false) {
  console.error(`--adapter: ${adapter.failure}`);
  process.exit(2);
}
const folder =
  typeof out === 'string' ? out : typeof name === 'string' ? `dist/adapters/${name}/reference` : 'dist/docs';
await writeReference(folder, adapter?.value.offer ?? offers.standalone);
console.log(`${folder}/index.html, llms.txt, collection.json and a Markdown file for each page are written.`);

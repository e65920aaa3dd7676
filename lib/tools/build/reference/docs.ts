import { readCommandLine } from '../../command-line/command-line.ts';

const { values } = readCommandLine({
  call: 'npm run docs',
  about: 'Writes the reference of the API: HTML, Markdown, llms.txt and a collection for Postman and Bruno.',
  options: { out: { type: 'string', value: '<folder>', about: 'The folder; dist/docs by default.' } },
});
const folder = typeof values['out'] === 'string' ? values['out'] : 'dist/docs';
// The contract takes a second to load: arguments are checked before.
const { writeReference } = await import('./write-reference.ts');
await writeReference(folder);
console.log(`${folder}/index.html, llms.txt, collection.json and a Markdown file for each page are written.`);

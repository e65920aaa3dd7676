import { globSync, readFileSync } from 'node:fs';

/** A page for readers: its file in the project, and its Markdown. */
export type Document = { readonly file: string; readonly text: string };

const read = (file: string): Document => ({ file, text: readFileSync(file, 'utf8') });

/** README.md, CONTRIBUTING.md and the guides. */
export const documents: readonly Document[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('lib/tools/guides/{*,pt/*}.md').toSorted(),
].map(read);

/** The READMEs in the folders of lib and test. No test runs their commands. */
export const roomDocuments: readonly Document[] = globSync('{lib,test}/**/README.md').toSorted().map(read);

/** Returns the fenced blocks of a language, without their fences. */
export const blocksOf = ({ text }: Document, language: string): readonly string[] =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, block = '']) => block);

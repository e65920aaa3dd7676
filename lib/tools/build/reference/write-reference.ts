import { join } from 'node:path';
import type { Described } from '../../../contract/openapi.ts';
import { removeOthers, writeChanged } from '../../command-line/files.ts';
import { collection } from './collection.ts';
import { htmlOf } from './html.ts';
import { fileOf, indexOf, markdownOf } from './markdown.ts';
import { referencePages } from './pages.ts';
import { startOf } from './start.ts';

const intro =
  'The API of the Returns Service: all operations, events, error codes and types. It manages product returns, their history and the policies that decide them.';

/** The introduction of a deployment with an adapter. */
const adapterIntro = (title: string): string =>
  `The API of a deployment in front of a Returns Service: ${title}. It has the operations of that service.`;

/**
 * Writes the reference below a folder: one HTML file, a Markdown file for each page, llms.txt, and a collection for Postman
 * and Bruno. Removes the files of pages that no longer exist.
 *
 * @param described the deployment that it describes
 */
export const writeReference = async (folder: string, described: Described): Promise<void> => {
  const pages = referencePages(described);
  const { adapter } = described;
  await writeChanged(join(folder, 'index.html'), htmlOf(pages, startOf(described)));
  await writeChanged(
    join(folder, 'llms.txt'),
    indexOf(pages, adapter === undefined ? intro : adapterIntro(adapter.title)),
  );
  await writeChanged(join(folder, 'collection.json'), `${JSON.stringify(collection(described), null, 2)}\n`);
  for (const page of pages) await writeChanged(join(folder, fileOf(page)), markdownOf(page));
  await removeOthers(folder);
};

import { type Block, groups, groupTitles, type Page, slugOf } from './page.ts';

/** Turns links to pages into links to files. `up` leads from the file of the text to the folder of the reference. */
const withFiles = (text: string, up = '../'): string =>
  text.replaceAll(/\]\(page:(\w+)\/([^)]+)\)/g, (_, group: string, id: string) => `](${up}${group}/${slugOf(id)}.md)`);

const cell = (text: string): string =>
  withFiles(text)
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\n+- /g, '<br>- ')
    .replaceAll(/\n+/g, ' ');

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const blockText = (block: Block): string => {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'paragraph':
      return withFiles(block.text);
    case 'table':
      return [row(block.columns), row(block.columns.map(() => '---')), ...block.rows.map(row)].join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    default:
      return block satisfies never;
  }
};

/** A page as a Markdown file. */
export const markdownOf = ({ id, title, blocks }: Page): string =>
  [`# ${id === title ? title : `${id}: ${title}`}`, ...blocks.map(blockText)].join('\n\n').concat('\n');

/** The file of a page, below the folder of the reference. */
export const fileOf = ({ group, id }: Page): string => `${group}/${slugOf(id)}.md`;

/** The index of all pages, in the form of llms.txt (https://llmstxt.org). */
export const indexOf = (pages: readonly Page[], intro: string): string =>
  [
    '# Returns Service',
    `> ${intro}`,
    ...groups.flatMap((group) => {
      const members = pages.filter((page) => page.group === group);
      const lines = members.map(
        (page) => `- [${page.id}](${fileOf(page)}): ${withFiles(page.summary || page.title, '')}`,
      );
      return members.length === 0 ? [] : [[`## ${groupTitles[group]}`, '', ...lines].join('\n')];
    }),
  ]
    .join('\n\n')
    .concat('\n');

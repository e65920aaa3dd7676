import { type Block, type Group, groups, type Page, slugOf } from './page.ts';

const titles: Readonly<Record<Group, string>> = {
  operations: 'Operations',
  events: 'Events',
  errors: 'Error codes',
  types: 'Types',
};

/** A link to another page, from a page in a folder beside it. */
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
    case 'list':
      return block.items.map((item) => `- ${withFiles(item)}`).join('\n');
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

/** The index of all pages. With `absolute`, links begin with an address, as llms.txt has them (https://llmstxt.org). */
export const indexOf = (pages: readonly Page[], intro: string): string =>
  [
    '# Returns Service',
    `> ${intro}`,
    ...groups.map((group) =>
      [
        `## ${titles[group]}`,
        '',
        ...pages
          .filter((page) => page.group === group)
          .map((page) => `- [${page.id}](${fileOf(page)}): ${withFiles(page.summary || page.title, '')}`),
      ].join('\n'),
    ),
  ]
    .join('\n\n')
    .concat('\n');

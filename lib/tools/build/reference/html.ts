import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../../../runtime/escape-html.ts';
import { type Block, groups, groupTitles, type Page } from './page.ts';

/** Code spans and links; everything else is text. */
const inline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(page:([^)]+)\)/g, '<a href="#$2">$1</a>')
    .replaceAll(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>');

/** Paragraphs and lists of a description. */
const prose = (text: string): string =>
  text
    .split(/\n\n+/)
    .map((part) =>
      part.startsWith('- ')
        ? `<ul>${part
            .split(/\n- /)
            .map((item) => `<li>${inline(item.replace(/^- /, ''))}</li>`)
            .join('')}</ul>`
        : `<p>${inline(part)}</p>`,
    )
    .join('');

const cells = (tag: 'td' | 'th', values: readonly string[]): string =>
  values.map((value) => `<${tag}>${value.includes('\n') ? prose(value) : inline(value)}</${tag}>`).join('');

const blockHtml = (block: Block): string => {
  switch (block.kind) {
    case 'heading':
      return `<h3>${inline(block.text)}</h3>`;
    case 'paragraph':
      return prose(block.text);
    case 'table':
      return `<div class="wide"><table><thead><tr>${cells('th', block.columns)}</tr></thead><tbody>${block.rows
        .map((row) => `<tr>${cells('td', row)}</tr>`)
        .join('')}</tbody></table></div>`;
    case 'code':
      return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    default:
      return block satisfies never;
  }
};

const keyOf = ({ group, id }: Page): string => `${group}/${id}`;

const article = (page: Page): string =>
  [
    `<article id="${escapeHtml(keyOf(page))}">`,
    `<h2>${inline(page.title)}</h2>`,
    page.id === page.title ? '' : `<p class="id"><code>${escapeHtml(page.id)}</code></p>`,
    ...page.blocks.map(blockHtml),
    '</article>',
  ].join('');

const entry = (page: Page): string =>
  `<li><a href="#${escapeHtml(keyOf(page))}" title="${escapeHtml(page.title)}">${escapeHtml(page.id)}</a></li>`;

const sectionsOf = (pages: readonly Page[]): string =>
  [...Map.groupBy(pages, ({ section }) => section)]
    .map(([section, members]) => `<h4>${escapeHtml(section)}</h4><ul>${members.map(entry).join('')}</ul>`)
    .join('');

const navigation = (pages: readonly Page[]): string =>
  groups
    .map((group) => {
      const members = pages.filter((page) => page.group === group);
      if (members.length === 0) return '';
      const open = group === 'operations' ? ' open' : '';
      return `<details${open}><summary>${groupTitles[group]} <small>${members.length}</small></summary>${sectionsOf(members)}</details>`;
    })
    .join('');

const asset = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8').trim();

/**
 * The whole reference as one HTML file. It loads nothing else, so that it works from a disk and from the deployment.
 * Without scripts it shows all pages one after the other.
 */
export const htmlOf = (pages: readonly Page[], start: readonly Block[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Returns Service reference</title>
<style>${asset('reference.css')}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="#">Returns Service</a>
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search the reference" autocomplete="off">
<button id="menu" type="button" aria-expanded="false" aria-controls="nav">Menu</button></header>
<nav id="nav" aria-label="Reference">${navigation(pages)}</nav>
<main id="content" tabindex="-1">
<section id="start"><h1>Reference</h1><ol id="results" hidden></ol>
<div id="welcome">${start.map(blockHtml).join('')}</div></section>
${pages.map(article).join('\n')}
</main>
<script>${asset('reference.js')}</script>
</body>
</html>
`;

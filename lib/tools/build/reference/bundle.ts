import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Described } from '../../../contract/openapi.ts';
import { htmlOf } from './html.ts';
import { referencePages } from './pages.ts';
import { startOf } from './start.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

const contentOf = (html: string, tag: 'script' | 'style'): string =>
  new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? '';

/**
 * The HTML page as the function `docs` carries it: compressed, with its entity tag, its content security policy and the
 * names of its pages.
 */
export const referenceBundle = (
  described: Described,
): {
  readonly gzip: string;
  readonly etag: string;
  readonly policy: string;
  readonly pages: readonly string[];
} => {
  const pages = referencePages(described);
  const html = htmlOf(pages, startOf(described));
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256(contentOf(html, 'script'))}'`,
    `style-src 'sha256-${sha256(contentOf(html, 'style'))}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    gzip: gzipSync(html, { level: 9 }).toString('base64'),
    etag: `"${sha256(html).slice(0, 22)}"`,
    policy,
    pages: pages.map(({ group, id }) => `${group}/${id}`),
  };
};

import { createHash } from 'node:crypto';
import { type Language, languages } from '../../domain/returns/input-checks.ts';
import { languageFor } from '../../domain/texts/catalogues.ts';
import { type Html, markup, trusted } from './html.ts';
import { pageTexts } from './page-texts.ts';

/** The colours of the page. Each text has a contrast of at least 4.5 to its background (WCAG 2.2, 1.4.3). */
export const colours = {
  light: { text: '#1b1b1b', quiet: '#4a4a4a', page: '#ffffff', action: '#0b5394', error: '#a4001d' },
  dark: { text: '#ececec', quiet: '#b8b8b8', page: '#16181b', action: '#8ab8f0', error: '#ff9aa5' },
} as const;

const variables = (scheme: keyof typeof colours): string =>
  Object.entries(colours[scheme])
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** Relative units and one column, so that the page works at 320 px and with texts of double size. */
const style = `:root{color-scheme:light dark;${variables('light')}}
@media (prefers-color-scheme:dark){:root{${variables('dark')}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:42rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin:0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0}
a,.link{color:var(--action)}
.shop{font-weight:600;margin:.5rem 0}
.field{margin:1.25rem 0}label{display:block;font-weight:600}
.hint,.quiet{color:var(--quiet);margin:.1rem 0}
.error{color:var(--error);font-weight:600;margin:.1rem 0}
input,textarea{width:100%;padding:.6rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--quiet);border-radius:.25rem}
[aria-invalid]{border:2px solid var(--error)}
button{font:inherit;font-weight:600;padding:.7rem 1.2rem;margin:.5rem .75rem .5rem 0;color:var(--page);background:var(--action);border:2px solid var(--action);border-radius:.25rem;cursor:pointer}
button.second{color:var(--action);background:var(--page)}
button.link{padding:0;margin:0;border:0;background:none;font-weight:400;text-decoration:underline}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.notice{border:2px solid var(--action);padding:.75rem;margin:1rem 0}.errors{border-color:var(--error)}
dt{font-weight:600;margin-top:.75rem}dd{margin:0;white-space:pre-line}
`;

const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** What a deployment and a request say about a page. */
export type PageContext = {
  readonly language: Language;
  /** The parameter ShopName; undefined without one. */
  readonly shop: string | undefined;
  /** Origins that may show the page in a frame; empty for none. */
  readonly frameAncestors: readonly string[];
  /** Whether the receipts are sent by e-mail. */
  readonly mailsReceipts: boolean;
};

/**
 * Returns the language of the page: the one in its address, else the best one for the browser.
 *
 * @param chosen the parameter `lang` of the address
 * @param accepted the value of Accept-Language
 */
export const pageLanguage = (chosen: string | undefined, accepted: string | undefined): Language =>
  languages.find((language) => language === chosen) ?? languageFor(accepted);

/** Returns the headers of every page. It loads nothing, runs nothing, and posts only to itself. */
export const pageHeaders = ({ language, frameAncestors }: PageContext): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; '),
  // Old browsers do not know frame-ancestors. This header cannot name an origin.
  ...(frameAncestors.length === 0 && { 'x-frame-options': 'DENY' }),
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // A page that opened this one cannot replace it while the consumer writes.
  'cross-origin-opener-policy': 'same-origin',
});

/**
 * Returns the address of the page in a language, relative to the page itself. It works below any path of a domain.
 *
 * @param reference leads to the receipt that it refers to
 */
export const addressIn = (language: Language, reference?: string): string =>
  `?lang=${language}${reference === undefined ? '' : `&receipt=${encodeURIComponent(reference)}`}`;

/**
 * The other languages: links on a page without texts, else buttons of a form, which keep what the consumer wrote.
 *
 * @param keeping the id and the step of the form
 * @param reference that of a receipt
 */
const languageList = (
  { language }: PageContext,
  keeping: { readonly form: string; readonly step: string } | undefined,
  reference: string | undefined,
): Html => {
  const others = languages.filter((other) => other !== language);
  return markup`<nav aria-label="${pageTexts[language].languages}"><ul>
${others.map((other) => {
  const { own } = pageTexts[other];
  const address = addressIn(other, reference);
  return keeping === undefined
    ? markup`<li><a href="${address}" lang="${other}" hreflang="${other}">${own}</a></li>`
    : markup`<li><button class="link" form="${keeping.form}" name="step" value="${keeping.step}" formaction="${address}" lang="${other}">${own}</button></li>`;
})}
</ul></nav>`;
};

/** The id of the form that holds the texts of the consumer. */
export const formId = 'declaration';

/**
 * Continues with the form when the consumer presses Enter in a field. A browser takes the first button of a form for it,
 * and those of the languages come first (HTML, implicit submission).
 */
const continueByEnter = markup`<button form="${formId}" name="step" value="review" hidden></button>`;

/** A page around its main content. */
export const layout = (
  context: PageContext,
  {
    title,
    main,
    keepingStep,
    reference,
  }: {
    readonly title: string;
    readonly main: Html;
    readonly keepingStep?: string;
    /** That of the receipt, which the links to other languages keep. */
    readonly reference?: string;
  },
): string => {
  const { language, shop } = context;
  const keeping = keepingStep === undefined ? undefined : { form: formId, step: keepingStep };
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${shop === undefined ? title : `${title} – ${shop}`}</title>
<style>${trusted(style)}</style>
</head>
<body>
${keepingStep === 'edit' ? continueByEnter : undefined}
${languageList(context, keeping, reference)}
<main>
${shop === undefined ? undefined : markup`<p class="shop">${shop}</p>`}
${main}
</main>
</body>
</html>
`.html;
};

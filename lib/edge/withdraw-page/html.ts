import { escapeHtml } from '../../runtime/escape-html.ts';

/** A fragment of HTML whose texts are escaped. */
export type Html = { readonly html: string };

/** A value in a template. A text is escaped, and undefined is left out. */
type HtmlValue = string | Html | readonly Html[] | undefined;

const isList = (value: HtmlValue): value is readonly Html[] => Array.isArray(value);

const written = (value: HtmlValue): string => {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return isList(value) ? value.map(({ html }) => html).join('\n') : value.html;
};

/**
 * Writes HTML from a template. Each text is escaped for elements and for attributes in double quotes, so no text of a
 * consumer can be read as markup. Its name is not `html`, because formatters change white space in such templates.
 */
export const markup = (literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  html: literals.map((literal, index) => literal + written(values[index])).join(''),
});

/** Marks trusted text as HTML, such as a style of our own. It is never for a text of a request. */
export const trusted = (text: string): Html => ({ html: text });

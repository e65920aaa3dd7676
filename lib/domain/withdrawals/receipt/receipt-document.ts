import { sha256 } from '../../returns/history/canonical-json.ts';
import type { Language } from '../../returns/input-checks.ts';
import { escapeHtml } from '../../../runtime/escape-html.ts';
import { timeText } from './local-time.ts';
import { buildReceipt, keysAddress, type ReceiptParts, type ReceiptPayload } from './receipt.ts';
import { type ReceiptTexts, receiptTexts } from './receipt-texts.ts';

/** A receipt for the consumer. Both forms have the same content, and the signed receipt itself. */
export type ReceiptDocument = { readonly title: string; readonly text: string; readonly html: string };

/** A part of a receipt that both forms show. */
type Section =
  | { readonly kind: 'sentences'; readonly sentences: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'jws'; readonly jws: string };

/**
 * Control characters, and those that change the direction of text. With them a consumer's text could look like a text
 * of the receipt. Line ends are separate.
 */
const deceptive = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const lineEnd = /\r\n|[\n\r\u0085\u2028\u2029]/u;

/** Returns the lines of a text that a person typed, without deceptive characters. */
export const plainLines = (text: string): readonly string[] =>
  text
    .split(lineEnd)
    .map((line) => line.replaceAll(deceptive, ' ').trim())
    .filter((line) => line !== '');

const sectionsOf = (parts: ReceiptParts, texts: ReceiptTexts): readonly Section[] => {
  const payload = JSON.parse(parts.payload) as ReceiptPayload;
  const { content } = payload;
  const jws = buildReceipt(parts);
  const keys = keysAddress(payload.iss);
  return [
    { kind: 'sentences', sentences: [texts.intro] },
    {
      kind: 'fields',
      fields: [
        [texts.labels.number, payload.jti],
        [texts.labels.declaredAt, timeText(payload, texts.locale)],
        [texts.labels.name, content.name],
        [texts.labels.email, content.email],
        [texts.labels.contract, content.contract],
        [texts.labels.lines, content.lines ?? texts.wholeContract],
        [texts.labels.text, content.statement],
      ],
    },
    { kind: 'sentences', sentences: texts.next },
    {
      kind: 'sentences',
      sentences: [
        texts.verify.intro,
        keys === undefined ? texts.verify.onRequest : texts.verify.published(keys),
        texts.verify.hash(sha256([jws])),
      ],
    },
    { kind: 'jws', jws },
  ];
};

/** Indents each line of a value, so that no line of a consumer's text looks like a label. */
const fieldText = ([label, value]: readonly [string, string], colon: string): string =>
  [`${label}${colon}`, ...plainLines(value).map((line) => `  ${line}`)].join('\n');

const sectionText = (section: Section, { colon }: ReceiptTexts): string => {
  if (section.kind === 'fields') return section.fields.map((field) => fieldText(field, colon)).join('\n');
  return section.kind === 'jws' ? section.jws : section.sentences.join('\n');
};

/**
 * Puts a word joiner behind each mark within an address. It has no width. Programs that read mails make links of typed
 * addresses, and anybody may type one and the address of the mail.
 */
const withoutLinks = (text: string): string => text.replaceAll(/(?<=\S)[.:/@](?=\S)/gu, '$&\u2060');

const withoutTypedLinks = (section: Section): Section =>
  section.kind === 'fields'
    ? { kind: 'fields', fields: section.fields.map(([label, value]) => [label, withoutLinks(value)] as const) }
    : section;

const textOf = (sections: readonly Section[], texts: ReceiptTexts): string =>
  `${[texts.title, ...sections.map((section) => sectionText(section, texts))].join('\n\n')}\n`;

/**
 * Returns a receipt as a mail: a subject without a text of the consumer, and plain text in which nothing typed is a
 * link. The signed receipt in it has the texts as they were typed.
 */
export const receiptMail = (
  parts: ReceiptParts,
  language: Language,
): { readonly subject: string; readonly text: string } => {
  const texts = receiptTexts[language];
  return { subject: texts.title, text: textOf(sectionsOf(parts, texts).map(withoutTypedLinks), texts) };
};

const fieldHtml = ([label, value]: readonly [string, string]): string =>
  `<dt>${escapeHtml(label)}</dt><dd>${plainLines(value)
    .map((line) => `<bdi>${escapeHtml(line)}</bdi>`)
    .join('<br>')}</dd>`;

const sectionHtml = (section: Section): string => {
  if (section.kind === 'fields') return `<dl>${section.fields.map(fieldHtml).join('\n')}</dl>`;
  if (section.kind === 'jws') return `<pre style="white-space:pre-wrap;word-break:break-all">${section.jws}</pre>`;
  return section.sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
};

/**
 * Returns a receipt as plain text and as a complete HTML page, for the sender of the mail. The page has no script, no
 * link and no remote resource.
 *
 * @param parts the stored parts of a signed receipt
 */
export const receiptDocument = (parts: ReceiptParts, language: Language): ReceiptDocument => {
  const texts = receiptTexts[language];
  const sections = sectionsOf(parts, texts);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(texts.title)}</title>`;
  return {
    title: texts.title,
    text: textOf(sections, texts),
    html: `<!doctype html>
<html lang="${language}"><head>${head}</head>
<body><h1>${escapeHtml(texts.title)}</h1>
${sections.map(sectionHtml).join('\n')}
</body></html>
`,
  };
};

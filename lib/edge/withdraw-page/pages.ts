import type { Language } from '../../domain/returns/input-checks.ts';
import { type ReceiptTexts, receiptTexts } from '../../domain/withdrawals/receipt/receipt-texts.ts';
import { type Entries, type EntryErrors, fieldNames, type FieldName, maxLengths, receiptFormats } from './form.ts';
import { type Html, markup } from './html.ts';
import { addressIn, formId, layout, type PageContext } from './layout.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';
import type { DeclaredTexts } from './receipt-content.ts';
import { receiptPromise } from './receipt-promise.ts';

/*
 * The pages, without a script. A page with texts of the consumer sends them back in the form, because the server stores
 * nothing before the confirmation.
 */

type Texts = { readonly page: PageTexts; readonly receipt: ReceiptTexts };

const textsIn = (language: Language): Texts => ({ page: pageTexts[language], receipt: receiptTexts[language] });

const hiddenField = (name: string, value: string): Html =>
  markup`<input type="hidden" name="${name}" value="${value}">`;

const hiddenAsked = (asked: string | undefined): Html | undefined =>
  asked === undefined ? undefined : hiddenField('asked', asked);

const hiddenEntries = (entries: Entries): Html =>
  markup`${fieldNames.map((name) => hiddenField(name, entries[name]))}${hiddenAsked(entries.asked)}`;

const errorText = ({ page, receipt }: Texts, name: FieldName, errors: EntryErrors): string | undefined => {
  const error = errors[name];
  if (error === undefined) return undefined;
  if (error === 'missing') return name === 'lines' ? undefined : page.missing[name];
  return page.entryErrors[error](new Intl.NumberFormat(receipt.locale).format(maxLengths[name]));
};

/** The purpose of each field, by which browsers offer stored texts (WCAG 2.2, 1.3.5). */
const attributes: Readonly<Record<Exclude<FieldName, 'lines'>, Html>> = {
  name: markup`type="text" autocomplete="name"`,
  contract: markup`type="text" autocomplete="off" spellcheck="false"`,
  email: markup`type="email" autocomplete="email" spellcheck="false"`,
};

type FieldState = {
  readonly name: FieldName;
  readonly value: string;
  readonly error: string | undefined;
  readonly hint: string | undefined;
  readonly isFirstError: boolean;
};

/** The control of a field. It has no `maxlength`, with which a browser would cut a pasted text in silence. */
const control = ({ name, value, error, isFirstError }: FieldState, described: string): Html => {
  const state = [
    ...(described === '' ? [] : [markup` aria-describedby="${described}"`]),
    ...(error === undefined ? [] : [markup` aria-invalid="true"`]),
    ...(isFirstError ? [markup` autofocus`] : []),
  ];
  // A browser drops the first line end of a text area.
  return name === 'lines'
    ? markup`<textarea id="${name}" name="${name}" rows="4"${state}>
${value}</textarea>`
    : markup`<input id="${name}" name="${name}" ${attributes[name]} required value="${value}"${state}>`;
};

const field = ({ page, receipt }: Texts, state: FieldState): Html => {
  const { name, error, hint } = state;
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  return markup`<div class="field">
<label for="${name}">${receipt.labels[name]}${name === 'lines' ? ` (${page.optional})` : undefined}</label>
${hint === undefined ? undefined : markup`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? undefined : markup`<p class="error" id="${name}-error">${page.error}: ${error}</p>`}
${control(state, described.join(' '))}
</div>`;
};

/** The errors at the top of the page, with links to their fields. */
const summary = (page: PageTexts, wrong: readonly { readonly name: FieldName; readonly text: string }[]): Html =>
  markup`<div class="notice errors" role="alert"><h2>${page.errors}</h2><ul>
${wrong.map(({ name, text }) => markup`<li><a href="#${name}">${text}</a></li>`)}
</ul></div>`;

/** The first step: the form, with the errors of an earlier submission. The first wrong field has the focus. */
export const formPage = (context: PageContext, entries: Entries, errors: EntryErrors = {}): string => {
  const { language, shop } = context;
  const texts = textsIn(language);
  const { page } = texts;
  const wrong = fieldNames.flatMap((name) => {
    const text = errorText(texts, name, errors);
    return text === undefined ? [] : [{ name, text }];
  });
  const hints = { name: undefined, ...page.hints, email: receiptPromise(context).hint };
  const stateOf = (name: FieldName): FieldState => ({
    name,
    value: entries[name],
    error: errorText(texts, name, errors),
    hint: hints[name],
    isFirstError: wrong[0]?.name === name,
  });
  const main = markup`<h1>${page.withdraw}</h1>
<p class="quiet">${page.step(1)}</p>
<p>${page.intro(shop)}</p>
${wrong.length === 0 ? undefined : summary(page, wrong)}
<form id="${formId}" method="post" action="${addressIn(language)}" novalidate>
${fieldNames.map((name) => field(texts, stateOf(name)))}
${hiddenAsked(errors.email === 'incomplete' ? entries.email : entries.asked)}
<button name="step" value="review">${page.next}</button>
</form>`;
  const isNew = wrong.length === 0 && fieldNames.every((name) => entries[name] === '');
  return layout(context, {
    title: wrong.length === 0 ? page.withdraw : `${page.error}: ${page.withdraw}`,
    main,
    ...(!isNew && { keepingStep: 'edit' }),
  });
};

const description = (label: string, value: string): Html => markup`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`;

const contentList = ({ receipt }: Texts, { name, email, contract, lines = '' }: DeclaredTexts): readonly Html[] => [
  description(receipt.labels.text, receipt.statement),
  description(receipt.labels.name, name),
  description(receipt.labels.contract, contract),
  description(receipt.labels.email, email),
  description(receipt.labels.lines, lines === '' ? receipt.wholeContract : lines),
];

/**
 * The second step: the texts for a check, and the button that sends them.
 *
 * @param key the signed key of this check
 * @param isRepeated whether an earlier check does not count any more
 */
export const reviewPage = (context: PageContext, entries: Entries, key: string, isRepeated: boolean): string => {
  const { language } = context;
  const texts = textsIn(language);
  const { page } = texts;
  const main = markup`<h1>${page.withdraw}</h1>
<p class="quiet">${page.step(2)}</p>
${isRepeated ? markup`<p class="notice" role="alert">${page.checkAgain}</p>` : undefined}
<p>${page.check}</p>
<dl>${contentList(texts, entries)}</dl>
<form id="${formId}" method="post" action="${addressIn(language)}">
${hiddenEntries(entries)}
${hiddenField('key', key)}
<button name="step" value="confirm">${page.confirm}</button>
<button class="second" name="step" value="edit">${page.change}</button>
</form>`;
  return layout(context, { title: page.withdraw, main, keepingStep: 'review' });
};

/** A receipt, as the page shows it. */
export type ShownReceipt = {
  readonly withdrawalId: string;
  /** Whether the consumer had made an equal declaration before. */
  readonly isKnown: boolean;
  /** In the language of the page, to the second and with the zone. */
  readonly declaredAt: string;
  readonly content: DeclaredTexts;
  readonly sha256: string;
  /** The sealed reference in the address of the receipt. */
  readonly reference: string;
  /** The sealed reference by which the page finds the receipt for a download. */
  readonly download: string;
};

/** The end: the receipt. A download does not replace the mail, because the law obliges the trader to provide it. */
export const receiptPage = (context: PageContext, shown: ShownReceipt): string => {
  const texts = textsIn(context.language);
  const { page, receipt } = texts;
  const main = markup`<h1>${receipt.title}</h1>
<p class="notice" role="status">${shown.isKnown ? page.known : receipt.intro}</p>
<dl>${description(receipt.labels.number, shown.withdrawalId)}
${description(receipt.labels.declaredAt, shown.declaredAt)}
${contentList(texts, shown.content)}</dl>
${receipt.next.map((sentence) => markup`<p>${sentence}</p>`)}
<p>${receiptPromise(context).receipt}</p>
<form method="post" action="${addressIn(context.language)}">
${hiddenField('step', 'download')}
${hiddenField('receipt', shown.download)}
${receiptFormats.map(
  (format) => markup`<button class="second" name="format" value="${format}">${page.downloads[format]}</button>`,
)}
</form>
<p class="quiet">${receipt.verify.hash(shown.sha256)}</p>`;
  return layout(context, { title: receipt.title, main, reference: shown.reference });
};

/** A form that repeats the confirmation. It is safe: its key makes the declaration count once. */
const repeatForm = (language: Language, entries: Entries, key: string | undefined, label: string): Html =>
  markup`<form id="${formId}" method="post" action="${addressIn(language)}">
${hiddenEntries(entries)}
${key === undefined ? undefined : hiddenField('key', key)}
<button name="step" value="${key === undefined ? 'review' : 'confirm'}">${label}</button>
</form>`;

/** How a page finds a receipt later: by its reference, or by a repeat of the confirmation. */
type ReceiptRetry = { readonly reference: string } | { readonly entries: Entries; readonly key: string };

/** The declaration is stored, but its receipt cannot be read now. */
export const storedPage = (
  context: PageContext,
  { withdrawalId, declaredAt }: Pick<ShownReceipt, 'withdrawalId' | 'declaredAt'>,
  retry: ReceiptRetry,
): string => {
  const { language } = context;
  const { page, receipt } = textsIn(language);
  const isReferred = 'reference' in retry;
  const main = markup`<h1>${page.stored.title}</h1>
<p class="notice" role="status">${receiptPromise(context).stored}</p>
<dl>${description(receipt.labels.number, withdrawalId)}
${description(receipt.labels.declaredAt, declaredAt)}</dl>
${
  isReferred
    ? markup`<p><a href="${addressIn(language, retry.reference)}">${page.stored.retry}</a></p>`
    : repeatForm(language, retry.entries, retry.key, page.stored.retry)
}`;
  return layout(context, { title: page.stored.title, main, ...(isReferred && retry) });
};

/**
 * The service does not answer, and the declaration may be stored or not. The page keeps the texts, and says how else
 * the consumer can declare.
 *
 * @param key undefined before the check
 */
export const unavailablePage = (context: PageContext, entries: Entries, key: string | undefined): string => {
  const { language, shop } = context;
  const texts = textsIn(language);
  const { unavailable } = texts.page;
  const main = markup`<h1>${unavailable.title}</h1>
<p class="notice errors" role="alert">${unavailable.retryText}</p>
${repeatForm(language, entries, key, unavailable.retry)}
<p>${unavailable.writeText(shop)}</p>
<dl>${contentList(texts, entries)}</dl>`;
  return layout(context, { title: unavailable.title, main, keepingStep: 'review' });
};

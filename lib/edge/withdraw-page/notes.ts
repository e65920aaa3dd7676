import type { FormFailure } from './form.ts';
import { markup } from './html.ts';
import { addressIn, layout, type PageContext } from './layout.ts';
import { pageTexts } from './page-texts.ts';
import { receiptPromise } from './receipt-promise.ts';

/* The pages that say why there is no form and no receipt. They repeat no text of the consumer. */

/** A note with a link: to the form, or to the receipt of a reference. */
const notePage = (context: PageContext, title: string, text: string, reference?: string): string => {
  const { unreadable, unavailable } = pageTexts[context.language];
  const main = markup`<h1>${title}</h1>
<p class="notice errors" role="alert">${text}</p>
<p><a href="${addressIn(context.language, reference)}">${reference === undefined ? unreadable.back : unavailable.retry}</a></p>`;
  return layout(context, { title, main, ...(reference !== undefined && { reference }) });
};

/** The body of a request is no form of this page. It repeats nothing of the body. */
export const unreadablePage = (context: PageContext, failure: FormFailure): string => {
  const { unreadable } = pageTexts[context.language];
  return notePage(context, unreadable.title, unreadable[failure]);
};

/** The reference of a receipt is of no text that this page sealed, so it does not show whether there is a receipt. */
export const unknownReceiptPage = (context: PageContext): string => {
  const { title } = pageTexts[context.language].unknownReceipt;
  return notePage(context, title, receiptPromise(context).unknown);
};

/** The reference of a stored declaration is too old, or its content was erased. */
export const expiredPage = (context: PageContext): string => {
  const { title } = pageTexts[context.language].expired;
  return notePage(context, title, receiptPromise(context).expired);
};

/** A page without texts of the consumer failed. */
export const failedPage = (context: PageContext): string => {
  const { title, later } = pageTexts[context.language].unavailable;
  return notePage(context, title, later);
};

/** The reference of a receipt cannot be opened now. */
export const failedReceiptPage = (context: PageContext, reference: string): string => {
  const { title, later } = pageTexts[context.language].unavailable;
  return notePage(context, title, later, reference);
};

/** The receipt of a stored declaration cannot be read for its download. */
export const failedDownloadPage = (context: PageContext): string => {
  const { title, later } = pageTexts[context.language].unavailable;
  return notePage(context, title, `${later} ${receiptPromise(context).expired}`);
};

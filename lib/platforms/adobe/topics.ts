import type { Lead, Topics } from '../platform.ts';

/** What a topic's deliveries are about, and whether they are sent before the shop's database has it for good. */
export type Topic = { readonly about: 'return' | 'creditmemo' | 'order'; readonly early: boolean };

const known: Readonly<Record<string, Topic>> = {
  rma_save_commit_after: { about: 'return', early: false },
  rma_save_after: { about: 'return', early: true },
  sales_order_creditmemo_save_commit_after: { about: 'creditmemo', early: false },
  sales_order_creditmemo_save_after: { about: 'creditmemo', early: true },
  sales_order_shipment_track_save_commit_after: { about: 'order', early: false },
  sales_order_shipment_track_save_after: { about: 'order', early: true },
};

const prefix = 'com.adobe.commerce.';
/** Projects may put their own name between. */
const form = /^com\.adobe\.commerce\.(?:[A-Za-z0-9_-]{1,100}\.)*observer\.([a-z_]{1,100})$/;

/** The topics of changes that we found by ourselves. */
export const returnSaved = `${prefix}observer.rma_save_commit_after`;
export const creditmemoSaved = `${prefix}observer.sales_order_creditmemo_save_commit_after`;

/**
 * What a topic is about, or nothing for one that is not handled. Both kinds of an event are: not every way of saving in
 * Commerce sends the one after the commit.
 * https://developer.adobe.com/commerce/extensibility/events/
 */
export const topicOf = (name: string): Topic | undefined => {
  const event = form.exec(name)?.[1] ?? '';
  return Object.hasOwn(known, event) ? known[event] : undefined;
};

const leads: Readonly<Record<Topic['about'], readonly Lead[]>> = {
  return: ['return'],
  creditmemo: ['refund'],
  order: [],
};

/** The topics, as events of no project's own name have them. */
export const topics: Topics = Object.fromEntries(
  Object.entries(known).map(([event, { about }]): [string, readonly Lead[]] => [
    `${prefix}observer.${event}`,
    leads[about],
  ]),
);

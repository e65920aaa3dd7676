import { subscriptions as bigcommerce } from './bigcommerce/subscriptions.ts';
import { subscriptions as commercetools } from './commercetools/subscriptions.ts';
import { subscriptions as saleor } from './saleor/subscriptions.ts';
import { subscriptions as shopify } from './shopify/subscriptions.ts';
import type { Subscriptions } from './subscription.ts';
import { subscriptions as vtex } from './vtex/subscriptions.ts';
import { subscriptions as woocommerce } from './woocommerce/subscriptions.ts';

/** The platforms whose API lists and makes the subscriptions of a shop. An operator makes the others by hand. */
export const platformSubscriptions: Readonly<Record<string, Subscriptions>> = {
  bigcommerce,
  commercetools,
  saleor,
  shopify,
  vtex,
  woocommerce,
};

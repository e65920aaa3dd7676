import { effects as bigcommerce } from './bigcommerce/effects.ts';
import { effects as commercetools } from './commercetools/effects.ts';
import type { Effects } from './effect.ts';
import { effects as medusa } from './medusa/effects.ts';
import { effects as saleor } from './saleor/effects.ts';
import { cancelOrderEffect } from './shared/effects/cancel-order.ts';
import { effects as shopify } from './shopify/effects.ts';
import { cancellation as standardCancellation } from './standard/platform.ts';
import { effects as woocommerce } from './woocommerce/effects.ts';

/** The platforms that can be asked to do something, with what they can do. The others are only observed. */
export const platformEffects: Readonly<Record<string, Effects>> = {
  bigcommerce,
  commercetools,
  medusa,
  saleor,
  shopify,
  standard: { cancel_order: cancelOrderEffect(standardCancellation) },
  woocommerce,
};

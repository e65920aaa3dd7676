import { effects as adobe } from './adobe/effects.ts';
import { effects as bigcommerce } from './bigcommerce/effects.ts';
import { effects as commercetools } from './commercetools/effects.ts';
import type { Effects } from './effect.ts';
import { effects as medusa } from './medusa/effects.ts';
import { effects as saleor } from './saleor/effects.ts';
import { cancelOrderEffect } from './shared/effects/cancel-order.ts';
import { effects as shopify } from './shopify/effects.ts';
import { cancellation as standardCancellation } from './standard/platform.ts';
import { effects as vtex } from './vtex/effects.ts';
import { effects as woocommerce } from './woocommerce/effects.ts';

/** What each platform can be asked to do. */
export const platformEffects: Readonly<Record<string, Effects>> = {
  adobe,
  bigcommerce,
  commercetools,
  medusa,
  saleor,
  shopify,
  standard: { cancel_order: cancelOrderEffect(standardCancellation) },
  vtex,
  woocommerce,
};

import { receiver as adobe } from './adobe.ts';
import { receiver as bigcommerce } from './bigcommerce.ts';
import { receiver as commercetools } from './commercetools.ts';
import { receiver as medusa } from './medusa.ts';
import type { PlatformName } from './names.ts';
import type { Receiver } from './platform.ts';
import { receiver as saleor } from './saleor.ts';
import { receiver as shopify } from './shopify.ts';
import { receiver as standard } from './standard.ts';
import { receiver as vtex } from './vtex.ts';
import { receiver as woocommerce } from './woocommerce.ts';

/** The platforms whose deliveries can be received, by their names in the path. */
export const receivers: Readonly<Record<string, Receiver>> = {
  shopify,
  adobe,
  bigcommerce,
  commercetools,
  medusa,
  saleor,
  standard,
  vtex,
  woocommerce,
} satisfies Record<PlatformName, Receiver>;

import { receiver as adobe } from './adobe/platform.ts';
import { receiver as bigcommerce } from './bigcommerce/platform.ts';
import { receiver as commercetools } from './commercetools/platform.ts';
import { receiver as medusa } from './medusa/platform.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import type { Receiver } from './platform.ts';
import { receiver as saleor } from './saleor/platform.ts';
import { receiver as shopify } from './shopify/platform.ts';
import { receiver as standard } from './standard/platform.ts';
import { receiver as vtex } from './vtex/platform.ts';
import { receiver as woocommerce } from './woocommerce/platform.ts';

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

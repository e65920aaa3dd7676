import { translator as adobe } from './adobe.ts';
import { translator as bigcommerce } from './bigcommerce.ts';
import { translator as commercetools } from './commercetools.ts';
import { translator as medusa } from './medusa.ts';
import type { Translator } from './platform.ts';
import { translator as saleor } from './saleor.ts';
import { translator as shopify } from './shopify.ts';
import { translator as standard } from './standard.ts';
import { translator as vtex } from './vtex.ts';
import { translator as woocommerce } from './woocommerce.ts';

/** The platforms whose stored deliveries are understood. */
export const translators: Readonly<Record<string, Translator>> = {
  shopify,
  adobe,
  bigcommerce,
  commercetools,
  medusa,
  saleor,
  standard,
  vtex,
  woocommerce,
};

import { translator as adobe } from './adobe/platform.ts';
import { translator as bigcommerce } from './bigcommerce/platform.ts';
import { translator as commercetools } from './commercetools/platform.ts';
import { translator as medusa } from './medusa/platform.ts';
import type { Translator } from './platform.ts';
import { translator as saleor } from './saleor/platform.ts';
import { translator as shopify } from './shopify/platform.ts';
import { translator as standard } from './standard/platform.ts';
import { translator as vtex } from './vtex/platform.ts';
import { translator as woocommerce } from './woocommerce/platform.ts';

/**
 * The platforms whose stored deliveries can be translated. The imports are static: bundled, `import()` starts later,
 * because esbuild then also wraps what the platforms share. `npm run bench -- cold` compares a table of one platform.
 */
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

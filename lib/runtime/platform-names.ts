/** The platforms, by the names that paths, secrets and the parameter Platforms have for them. */
export const platformNames = [
  'shopify',
  'adobe',
  'bigcommerce',
  'commercetools',
  'medusa',
  'saleor',
  'standard',
  'vtex',
  'woocommerce',
] as const;

export type PlatformName = (typeof platformNames)[number];

/** The platforms, by their names in paths, secrets and the parameter Platforms. */
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

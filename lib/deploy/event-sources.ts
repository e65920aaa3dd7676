/**
 * The platforms that send to an event bus of EventBridge, by the prefix of their resources. A value is the spelling of
 * the platform in texts.
 */
export const eventSources = { Shopify: 'Shopify', Commercetools: 'commercetools', Adobe: 'Adobe' } as const;

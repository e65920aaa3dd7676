import type { JsonObject } from '../../runtime/json.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';

/* What only a person can do at a shop, each with the link to it. */

/** What a step may name: the source, the address of the hooks, the secret of the deliveries, the entry of the API. */
export type Place = {
  readonly source: string;
  readonly address: string | undefined;
  readonly secretId: string;
  readonly api: JsonObject;
};

type PlatformSteps = {
  /** Where people get the credentials, and which rights these need. */
  readonly credentials: (place: Place) => string;
  /** What stays to do by hand after the command. */
  readonly afterwards: (place: Place) => readonly string[];
  /** What makes the shop send a delivery; undefined where no person can cause one at once. */
  readonly cause?: string;
};

const guide = (file: string): string => `lib/tools/guides/${file}`;
const ofShop = ({ source, api: { apiUrl } }: Place): string =>
  typeof apiUrl === 'string' ? apiUrl : `https://${source}`;
const readSecret = ({ secretId }: Place): string => `aws secretsmanager get-secret-value --secret-id ${secretId}`;

/** The merchant center is in the region of the API. https://docs.commercetools.com/merchant-center/developer-settings */
const merchantCenter = (place: Place): string =>
  `${ofShop(place).replace('//api.', '//mc.')}/${place.source}/settings/developer/api-clients`;

export const platformSteps: Readonly<Record<PlatformName, PlatformSteps>> = {
  shopify: {
    credentials: ({ source }) =>
      `Give the app read_orders, read_returns, read_customers and read_products, and install it: https://${source}/admin/settings/apps/development.`,
    afterwards: () => [],
    cause: 'request a return for an order, in the admin of the shop',
  },
  woocommerce: {
    credentials: (place) =>
      `Create a key whose user is a shop manager, with the permission Read/Write for the webhooks: ${ofShop(place)}/wp-admin/admin.php?page=wc-settings&tab=advanced&section=keys&create-key=1.`,
    afterwards: () => [],
    cause: 'change the customer note of an order and save it; WordPress sends the webhook at its next cron run',
  },
  bigcommerce: {
    credentials: () =>
      'Create a store-level API account that reads orders and order transactions: https://docs.bigcommerce.com/developer/docs/overview/api-fundamentals/api-accounts.',
    afterwards: () => [],
    cause: 'change the staff notes of an order and save it',
  },
  commercetools: {
    credentials: (place) => `Create an API client with view_orders and view_payments: ${merchantCenter(place)}.`,
    afterwards: ({ address }) =>
      address === undefined
        ? ['Set CommercetoolsQueue to on and deploy, or give topicArn. Then repeat this command.']
        : [],
    cause: 'change the payment state of an order',
  },
  saleor: {
    credentials: (place) =>
      `Create an app with MANAGE_ORDERS: ${new URL(ofShop(place)).origin}/dashboard/extensions/installed.`,
    afterwards: () => [],
    cause: 'change the shipping address of an order',
  },
  vtex: {
    credentials: ({ source }) =>
      `Generate an API key that may view and list orders: https://${source}.myvtex.com/admin, Account settings, API keys.`,
    afterwards: (place) => [
      `For the return app, create the trigger of Master Data: ${guide('receive-webhooks-from-shops.md#connect-vtex')}. Its header x-webhook-token has the value in: ${readSecret(place)}.`,
    ],
  },
  medusa: {
    credentials: (place) => `Create a secret API key: ${ofShop(place)}/app/settings/secret-api-keys.`,
    afterwards: (place) => [
      `Copy ${guide('examples/medusa-subscriber.ts')} to src/subscribers/ of the shop.`,
      `Set RETURNS_WEBHOOK_URL there to ${place.address}, and RETURNS_WEBHOOK_SECRET to the value in: ${readSecret(place)}.`,
    ],
    cause: 'request a return for an order, in the admin of the shop',
  },
  adobe: {
    credentials: (place) =>
      `Create an integration that reads orders, shipments, credit memos and returns: ${ofShop(place)}/admin.`,
    afterwards: ({ address }) => [
      `Register the address ${address} for the events in the Adobe Developer Console: https://developer.adobe.com/console. ${guide('receive-webhooks-from-shops.md#connect-adobe-commerce')} has the names.`,
    ],
    cause: 'save a return',
  },
  standard: {
    credentials: () => `The sender follows ${guide('examples/standard-sender.md')}.`,
    afterwards: (place) => [
      `Let the sender send to ${place.address}, and sign with the secret in: ${readSecret(place)}.`,
    ],
    cause: 'let the sender send any event',
  },
};

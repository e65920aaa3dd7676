import { failed, warning, type Check } from '../check.ts';

/** A failed read of one shop. */
export type ShopFailure = { readonly source: string; readonly reason: string };

type Words = readonly [detail: string, remedy: string];

const words: Readonly<Record<string, Words>> = {
  shop_status_401: ['it rejects the credentials', 'Store valid credentials in the api secret of the platform.'],
  shop_status_403: [
    'it denies the read',
    'Grant the credentials the read scopes in lib/tools/guides/receive-webhooks-from-shops.md.',
  ],
  shop_denied_access: [
    'it denies the read',
    'Grant the credentials the read scopes in lib/tools/guides/receive-webhooks-from-shops.md.',
  ],
  shop_status_404: ['it has no API at this URL', 'Check apiUrl in the api secret of the platform.'],
  shop_timeout: ['it does not answer in time', 'Check apiUrl, the network and the status page of the platform.'],
  shop_throttled: ['it throttles the call', 'Run the doctor again later, and check who else uses these credentials.'],
  shop_reply_unreadable: ['its response is not from the API', 'Check whether apiUrl is a web page or a proxy.'],
};

const byPattern: readonly (readonly [RegExp, Words])[] = [
  [
    /^shop_scope_missing:/,
    ['its token lacks these scopes', 'Grant them to the app of the token, and install it again.'],
  ],
  [/^shop_unreachable:/, ['it is unreachable', 'Check apiUrl in the secret, DNS, the network and the certificate.']],
  [/^shop_status_5/, ['it failed', 'Check the status page of the platform, then run the doctor again.']],
];

const wordsOf = (reason: string): Words =>
  words[reason] ??
  byPattern.find(([pattern]) => pattern.test(reason))?.[1] ?? [
    'the read failed',
    'Check the entry of the source, and whether the platform changed its API.',
  ];

const shown = 3;

/** One row for all failed shops of a platform. Reasons are stable codes and quote no response. */
export const shopFailures = (name: string, failures: readonly ShopFailure[], examined: number): Check => {
  const described = failures
    .slice(0, shown)
    .map(({ source, reason }) => `${source}: ${wordsOf(reason)[0]} (${reason})`);
  const rest = failures.length > shown ? ` and ${failures.length - shown} more` : '';
  const remedies = new Set(failures.slice(0, shown).map(({ reason }) => wordsOf(reason)[1]));
  const report = failures.every(({ reason }) => reason === 'shop_throttled') ? warning : failed;
  return report(
    name,
    `${failures.length} of ${examined} failed: ${described.join('; ')}${rest}`,
    [...remedies].join(' '),
  );
};

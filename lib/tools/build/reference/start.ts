import { type Described, textsOf } from '../../../contract/openapi.ts';
import { basePath } from '../../../contract/operation.ts';
import { type Block, code, heading, linkTo, paragraph, table } from './page.ts';
import { exampleUrl } from './pages.ts';

/** What most callers need first, in the order of the life of a return. */
const usualOperations = [
  'registerOrder',
  'quoteReturn',
  'createReturn',
  'listReturns',
  'getReturn',
  'approve',
  'reject',
  'receive',
  'inspect',
  'refund',
] as const;

const firstCall = `base="${exampleUrl}${basePath}"
printf '%s' "$secret" | curl "$auth_url/connect/token" -d grant_type=client_credentials \\
  -d "client_id=$client_id" --data-urlencode client_secret@- -d scope=returns:read
token="…" # access_token of the answer
curl "$base/returns?limit=1" -H "authorization: Bearer $token"`;

/** What the start page of a reference shows: the introduction, the first call and the usual operations. */
export const startOf = (described: Described): readonly Block[] => {
  const offered = usualOperations.flatMap((name) => {
    const entry = described.entries[name];
    return entry === undefined ? [] : [{ name, ...entry }];
  });
  return [
    paragraph(textsOf(described).introduction),
    heading('First call'),
    paragraph(
      `The base URL is \`${exampleUrl}${basePath}\`, with the host of the deployment. The token endpoint is ` +
        '`{auth_url}/connect/token` (RFC 6749, 4.4). A token is valid for 3600 seconds.',
    ),
    code('sh', firstCall),
    ...table(
      'Usual operations',
      ['Operation', 'Request', 'What it does'],
      offered.map(({ name, method, path, summary }) => [linkTo('operations', name), `\`${method} ${path}\``, summary]),
    ),
  ];
};

import { getPolicyText } from '../../lib/access/client/policy-text-function.ts';
import { servePublishedPolicy } from '../../lib/edge/http/published-policy.ts';

export const handler = servePublishedPolicy(getPolicyText);

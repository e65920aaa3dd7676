import { rotateClientSecret } from '../../lib/access/client/rotate-client-secret.ts';

export const handler = rotateClientSecret;

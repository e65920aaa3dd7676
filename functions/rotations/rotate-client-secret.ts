import { rotateClientSecret } from '../../lib/client/rotate-client-secret.ts';

export const handler = rotateClientSecret;

import { refreshTokens } from '../../lib/access/client/refresh-tokens.ts';

export const handler = refreshTokens;

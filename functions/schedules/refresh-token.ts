import { refreshTokens } from '../../lib/client/refresh-tokens.ts';

export const handler = refreshTokens;

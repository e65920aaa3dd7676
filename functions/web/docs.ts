import { serveReference } from '../../lib/edge/http/reference.ts';

export const handler = serveReference();

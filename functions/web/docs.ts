import { serveReference } from '../../lib/http/reference.ts';

export const handler = serveReference();

import { serveConsole } from '../../lib/edge/http/console.ts';

export const handler = serveConsole();

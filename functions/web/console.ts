import { serveConsole } from '../../lib/http/console.ts';

export const handler = serveConsole();

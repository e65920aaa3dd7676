import { serveMcp } from '../../lib/edge/mcp/serve-mcp.ts';

export const handler = serveMcp();

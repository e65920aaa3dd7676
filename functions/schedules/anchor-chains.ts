import { anchorChains } from '../../lib/service/schedules/anchors/anchor-chains.ts';

export const handler = anchorChains;

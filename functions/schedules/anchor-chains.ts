import { anchorChains } from '../../lib/anchors/anchor-chains.ts';

export const handler = anchorChains;

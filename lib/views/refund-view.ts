import type { Refund } from '../returns/model/refund.ts';

/** A refund on the wire: ids have the names there that they have in paths. */
export const refundView = (recorded: Refund) => {
  const { id, external, request: _, ...refund } = recorded;
  return {
    refundId: id,
    ...refund,
    ...(external !== undefined && { external: { platform: external.platform, externalId: external.id } }),
  };
};

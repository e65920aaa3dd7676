import type { Unexpected } from '../model/goods.ts';

/** The fields of a parcel that are kept as personal texts. */
export const sealedOfParcel = ['trackingNumber', 'trackingUrl', 'labelUrl'] as const;

/** As many as a return may have. */
export const mostInspections = 100;

/** Whether nobody has said yet what becomes of an item. */
export const undisposed = ({ disposition }: Unexpected): boolean => disposition === undefined;

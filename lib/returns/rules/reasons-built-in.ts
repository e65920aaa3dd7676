import type { Fault } from '../model/reason.ts';

/**
 * The canonical reasons (contract, section 10), two levels deep: code, whose fault it is, label in English. A shop has
 * them until it says otherwise. Whose fault something is that may be damaged or defective, the shop settles with its
 * carrier: to the customer it is the shop's.
 */
export const builtIn = [
  ['preference.changed_mind', 'customer', 'Changed my mind'],
  ['preference.better_price', 'customer', 'Found a better price'],
  ['preference.style', 'customer', 'Style not as wanted'],
  ['preference.color', 'customer', 'Color not as wanted'],
  ['fit.too_small', 'customer', 'Too small'],
  ['fit.too_large', 'customer', 'Too large'],
  ['fit.other', 'customer', 'Does not fit'],
  ['order_error.customer_ordered_wrong', 'customer', 'Ordered the wrong item'],
  ['order_error.duplicate', 'customer', 'Ordered twice'],
  ['order_error.unauthorized', 'customer', 'Ordered without permission'],
  ['fulfilment.wrong_item', 'merchant', 'Received the wrong item'],
  ['fulfilment.missing_parts', 'merchant', 'Parts or pieces are missing'],
  ['fulfilment.extra_item', 'merchant', 'Received an item that was not ordered'],
  ['delivery.late', 'carrier', 'Arrived too late'],
  ['delivery.not_delivered', 'carrier', 'Was not delivered'],
  ['condition.damaged_in_transit', 'carrier', 'Damaged on the way'],
  ['condition.defective', 'merchant', 'Defective'],
  ['condition.damaged_or_defective', 'merchant', 'Damaged or defective'],
  ['condition.packaging_damaged', 'carrier', 'Packaging damaged'],
  ['description.not_as_described', 'merchant', 'Not as described'],
  ['product.quality', 'merchant', 'Quality not as expected'],
  ['product.performance', 'none', 'Does not perform as expected'],
  ['product.incompatible', 'customer', 'Not compatible'],
  ['safety.adverse_reaction', 'merchant', 'Caused an adverse reaction'],
  ['other', 'none', 'Another reason'],
  ['unknown', 'none', 'Unknown'],
] as const satisfies readonly (readonly [code: string, fault: Fault, label: string])[];

/** The messages to customers, by the type of the event that they tell. Their texts are in lib/domain/messages. */
export const messageNames = {
  'withdrawal.receipt_due': 'withdrawal_receipt',
  'return.approved': 'return_approved',
  'return.rejected': 'return_rejected',
  'refund.succeeded': 'refund_paid',
} as const;

/** The name of a message to a customer. */
export type MessageName = (typeof messageNames)[keyof typeof messageNames];

const byType: ReadonlyMap<string, MessageName> = new Map(Object.entries(messageNames));

/** Returns the name of the message that tells an event to the customer; undefined for an event without a message. */
export const messageOf = (type: string): MessageName | undefined => byType.get(type);

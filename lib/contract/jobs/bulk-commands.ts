/** The commands that a bulk job may run: each makes sense with one body for many returns. */
export const bulkCommands = [
  'approve',
  'reject',
  'requestInfo',
  'addNote',
  'assignReturn',
  'cancel',
  'complete',
  'closeReceipt',
  'expire',
] as const;

export type BulkCommand = (typeof bulkCommands)[number];

/** Fields of these commands that belong to one return. */
export const fieldsOfOneReturn = ['lines', 'observed'] as const;

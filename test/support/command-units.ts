/** The maximum consumption of a command on a return of three lines, in capacity units. Creation writes more. */
export const commandUnits = { write: 16, creationWrite: 24, read: 4, visitWrite: 21 } as const;

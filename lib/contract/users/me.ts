/** Names the signed-in user of the call, in place of an id. */
export const me = 'me';

/* The minimum of every cold start: Node and an answer. */
export const handler = async () => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{}' });

import type { StackInfo } from '../../lib/local/stack-info.ts';

/** Returns a token of the local stack for all operations. */
export const adminTokenOf = async ({ tokenUrl, clients }: StackInfo): Promise<string> => {
  const client = clients.find(({ clientId }) => clientId === 'returns-admin');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client?.clientId ?? '',
    client_secret: client?.clientSecret ?? '',
    scope: client?.scopes.join(' ') ?? '',
  });
  const answer = await fetch(tokenUrl, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
};

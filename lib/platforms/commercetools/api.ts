import { fail, ok, type Result } from '../../contract/result.ts';
import { AccessError } from '../../oauth/access-error.ts';
import type { AccessToken } from '../../oauth/access-token.ts';
import { askApi, readJson } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { findProject, type Project } from './projects.ts';
import { tokenOf } from './token.ts';

/** Whom to ask, and until when: epoch milliseconds. */
export type Asked = { readonly source: string; readonly deadline: number };

type Access = { readonly project: Project; readonly token: AccessToken };

/** Credentials that are refused are read again: they may have been rotated. */
const accessOf = async (
  { source, deadline }: Asked,
  fresh: boolean,
  refused: AccessToken | undefined,
): Promise<Result<Access, ShopFailure>> => {
  const project = await findProject(source, { fresh });
  if (project === undefined) return fail({ kind: 'permanent', reason: 'unknown_source' });
  try {
    return ok({ project, token: await tokenOf(source, project, deadline, fresh ? refused : undefined) });
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    if (error.kind === 'ClientRejected' && !fresh) return accessOf({ source, deadline }, true, undefined);
    return fail({ kind: 'retryable', reason: `shop_token:${error.kind}` });
  }
};

/**
 * Reads from a project's HTTP API.
 * https://docs.commercetools.com/api/general-concepts
 *
 * @param path below the project, each step of it fit for an address
 */
export const ask = async (
  { source, deadline }: Asked,
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): Promise<Result<unknown, ShopFailure>> => {
  const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  let token: AccessToken | undefined;
  return askApi(
    async (fresh) => {
      const access = await accessOf({ source, deadline }, fresh, token);
      if (!access.ok) return access;
      ({ token } = access.value);
      return ok({
        method: 'GET',
        url: `${access.value.project.apiUrl}/${source}/${path}?${parameters.toString()}`,
        headers: { authorization: `Bearer ${token.token.reveal()}`, accept: 'application/json' },
      });
    },
    readJson,
    deadline,
  );
};

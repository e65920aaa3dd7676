import { fail, ok, type Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { askApi, readJson, type Shop } from '../api.ts';
import type { ShopFailure } from '../platform.ts';
import { findSource, type Entry } from '../sources.ts';

const accessOf = ({ text, address, orderPlatform }: Entry) => ({
  accessToken: text('accessToken'),
  apiUrl: address('apiUrl'),
  platform: orderPlatform(),
});

/** What a sender answered, and the platform that its orders are registered under. */
export type Answer = { readonly platform: string; readonly value: JsonObject };

/** Asks a sender's own API, which is described in lib/examples/standard-sender.md. */
export const ask = async (
  { source, deadline }: Shop,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<Answer, ShopFailure>> => {
  let platform = 'standard';
  const answer = await askApi(
    async (fresh) => {
      const access = await findSource('standard', source, accessOf, { fresh });
      if (access === undefined) return fail({ kind: 'permanent', reason: 'unknown_source' });
      platform = access.platform;
      const asked = new URLSearchParams(query).toString();
      return ok({
        method: 'GET',
        url: `${access.apiUrl}/${path}${asked === '' ? '' : `?${asked}`}`,
        headers: { accept: 'application/json', authorization: `Bearer ${access.accessToken}` },
      });
    },
    readJson,
    deadline,
  );
  if (!answer.ok) return answer;
  return isObject(answer.value) ? ok({ platform, value: answer.value }) : unexpected('');
};

/** An answer that is not as agreed, with a JSON Pointer into it: for people to see. */
export const unexpected = (pointer: string): Result<never, ShopFailure> =>
  fail({ kind: 'permanent', reason: `snapshot_unexpected:${pointer || '/'}` });

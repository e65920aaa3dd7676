import type { Call } from '../../contract/port.ts';
import { me } from '../../contract/users/me.ts';
import { fail, ok } from '../../runtime/result.ts';

/**
 * Returns the id of the user that an input names. `me` names the signed-in user of the call.
 *
 * @param path the place of the name in the input
 */
export const namedUserId = (name: string, { caller: { user } }: Call, path: string) => {
  if (name !== me) return ok(name);
  if (user !== undefined) return ok(user.id);
  return fail({
    code: 'invalid_request' as const,
    detail: 'The call has no signed-in user. Name the user by the id.',
    errors: [{ path, code: 'format', message: 'must be an id of listUsers: `me` needs a signed-in user' }],
  });
};

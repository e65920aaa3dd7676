import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { assignReturn as decide } from '../../domain/returns/commands/annotations.ts';
import { isListedUser, listUsers as readUsers } from '../../store/personal/users.ts';
import { commandOnReturn } from '../execution/command.ts';
import { withStore } from '../execution/execute.ts';
import { namedUserId } from '../execution/named-user.ts';

/** The maximum of listed users. */
const maxUsers = 500;

/** Lists the users to whom returns can be assigned, by name. */
export const listUsers = async (_: Input<'listUsers'>, call: Call): Promise<Result<Reply<Output<'listUsers'>>>> =>
  withStore(call, async (session) => {
    const me = call.caller.user?.id;
    const items = (await readUsers(session, maxUsers))
      .toSorted((a, b) => a.name.localeCompare(b.name) || (a.userId < b.userId ? -1 : 1))
      .map((user) => ({ ...user, ...(user.userId === me && { me: true as const }) }));
    return ok({ status: 200, body: { items, nextCursor: null } });
  });

const unknownUser = fail({
  code: 'user_not_found' as const,
  detail: 'No user with this id has sent a command. Use an id of listUsers.',
  errors: [{ path: '/userId', code: 'unknown', message: 'must be the id of a user in listUsers' }],
});

/** Assigns a return to a user, or to no user. The caller is known, also before the first command. */
export const assignReturn = /* @__PURE__ */ commandOnReturn('assignReturn', ({ userId }, call) => ({
  decide: async (situation, session) => {
    if (userId === null) return decide(situation, null);
    const named = namedUserId(userId, call, '/userId');
    if (!named.ok) return named;
    const isKnown = named.value === call.caller.user?.id || (await isListedUser(session, named.value));
    return isKnown ? decide(situation, { id: named.value }) : unknownUser;
  },
}));

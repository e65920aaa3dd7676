import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { assignReturn as decide } from '../../domain/returns/commands/annotations.ts';
import type { ActorUser } from '../../domain/returns/model/actor.ts';
import type { Session } from '../../store/engine/session.ts';
import { listUsers as readUsers, readUser } from '../../store/personal/users.ts';
import { commandOnReturn } from '../execution/command.ts';
import { withStore } from '../execution/execute.ts';

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

const noUser = fail({
  code: 'invalid_request' as const,
  detail: 'The call has no signed-in user. Name the user by the id.',
  errors: [{ path: '/userId', code: 'format', message: 'must be an id of listUsers: `me` needs a signed-in user' }],
});

const unknownUser = fail({
  code: 'user_not_found' as const,
  detail: 'No user with this id has sent a command. Use an id of listUsers.',
  errors: [{ path: '/userId', code: 'unknown', message: 'must be the id of a user in listUsers' }],
});

/** Returns the user of a wanted id. The caller is known, also before the first command. */
const findAssignee = async (session: Session, wanted: string, caller: Call['caller']) => {
  const { user } = caller;
  if (wanted === 'me' || wanted === user?.id) return user === undefined ? noUser : ok<ActorUser>({ id: user.id });
  return (await readUser(session, wanted)) === undefined ? unknownUser : ok<ActorUser>({ id: wanted });
};

/** Assigns a return to a user, or to no user. */
export const assignReturn = /* @__PURE__ */ commandOnReturn('assignReturn', ({ userId }, { caller }) => ({
  decide: async (situation, session) => {
    if (userId === null) return decide(situation, null);
    const assignee = await findAssignee(session, userId, caller);
    return assignee.ok ? decide(situation, assignee.value) : assignee;
  },
}));

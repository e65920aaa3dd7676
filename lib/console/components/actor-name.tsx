import type { Output } from '../../contract/contract.ts';
import { userText, useUsers } from '../app/users.ts';
import { common } from '../texts/common.ts';

type EntryActor = Output<'getHistory'>['items'][number]['actor'];
type Actor = Pick<EntryActor, 'clientId' | 'onBehalfOf' | 'erased' | 'user'>;

/**
 * Who acted: the person, or the client, and for whom it acted. An erased name is marked.
 *
 * @param byList shows the present name where the answer has none. A history has none where it was changed since: there
 *   the present name would hide it.
 */
export const ActorName = ({ actor, byList = false }: { actor: Actor; byList?: boolean }) => {
  const { clientId, user, onBehalfOf, erased } = actor;
  const users = useUsers(byList ? (user?.id ?? null) : null);
  const person = user && (user.name ?? (byList ? userText(users, user.id) : user.id));
  return (
    <span>
      {person === undefined ? <code>{clientId}</code> : <span title={`${user?.id} · ${clientId}`}>{person}</span>}
      {user?.erased === true && <em> ({common().erased})</em>}
      {onBehalfOf !== undefined && <> → {onBehalfOf}</>}
      {erased === true && <em> → ({common().erased})</em>}
    </span>
  );
};

import type { Output } from '../../contract/contract.ts';
import { common } from '../texts/common.ts';

type EntryActor = Output<'getHistory'>['items'][number]['actor'];
type Actor = Pick<EntryActor, 'clientId' | 'onBehalfOf' | 'erased' | 'user'>;

/** Who acted: the person, or the client, and for whom it acted. An erased name is marked. */
export const ActorName = ({ actor }: { actor: Actor }) => {
  const { clientId, user, onBehalfOf, erased } = actor;
  const person = user?.name ?? user?.id;
  return (
    <span>
      {person === undefined ? <code>{clientId}</code> : <span title={`${user?.id} · ${clientId}`}>{person}</span>}
      {user?.erased === true && <em> ({common().erased})</em>}
      {onBehalfOf !== undefined && <> → {onBehalfOf}</>}
      {erased === true && <em> → ({common().erased})</em>}
    </span>
  );
};

import type { Output } from '../../../contract/contract.ts';
import { t } from './texts.ts';

type Actor = Output<'getHistory'>['items'][number]['actor'] | Output<'getReturn'>['notes'][number]['actor'];

/** Returns who acted: the signed-in person, the person that a client acted for, or the client. */
export const actorText = ({ user, onBehalfOf, clientId, erased }: Actor): string => {
  if (user !== undefined) return user.erased === true ? t().erased : (user.name ?? user.id);
  if (erased === true) return `${clientId} (${t().erased})`;
  return onBehalfOf === undefined ? clientId : `${onBehalfOf} (${clientId})`;
};

import type { ReasonDefinition } from '../../returns/model/reason.ts';
import { getItem } from '../engine/get-item.ts';
import { reasonsKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';

/** The reasons that the shop has changed or added, and the version of all of them together (0 where there are none). */
export type KeptReasons = { readonly changed: readonly ReasonDefinition[]; readonly version: number };

/** What the shop has changed of the reasons: one item, so that whoever needs a few of them reads once. */
export const readReasons = async (session: Session): Promise<KeptReasons> => {
  const item = await getItem<{ version: number; value: string | Uint8Array }>(session, reasonsKey);
  return item === undefined
    ? { changed: [], version: 0 }
    : { changed: unpack(item.value) as ReasonDefinition[], version: item.version };
};

/** The changed reasons in place of version `before` of them. */
export const writeReasons = (changed: readonly ReasonDefinition[], before: number): Write =>
  putVersion('reasons', reasonsKey, { version: before + 1, value: pack(changed) }, before);

import Type from 'typebox';
import { closed, erasable, PlatformId, text } from './scalars.ts';

/** Who acted: the token's client, and whom it acted for when it said so. */
export const Actor = closed({ clientId: PlatformId, onBehalfOf: Type.Optional(text(401)) });

/** The same of a return: an erasure replaces `onBehalfOf` by `erased`. */
export const ReturnActor = closed({ ...Actor.properties, ...erasable });

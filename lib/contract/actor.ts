import Type from 'typebox';
import { closed, PlatformId, text } from './scalars.ts';

/** Who acted: the token's client, and whom it acted for when it said so. */
export const Actor = closed({ clientId: PlatformId, onBehalfOf: Type.Optional(text(401)) });

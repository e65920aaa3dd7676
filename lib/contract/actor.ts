import Type from 'typebox';
import { closed, erasable, PlatformId, text } from './scalars.ts';

/** Who acted: the token's client, and whom it acted for when it said so. */
export const Actor = closed({ clientId: PlatformId, onBehalfOf: Type.Optional(text(401)) });

/** The same of a return: an erasure leaves a mark in place of whom the client acted for. */
export const ReturnActor = closed({ ...Actor.properties, ...erasable });

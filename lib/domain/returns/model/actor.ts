/**
 * A personal-text reference: the place of the text and its salted digest.
 * The text is stored apart, so that it can be erased.
 */
export type TextReference = { readonly ref: string; readonly digest: string };

/** A signed-in user. The id is opaque. The name is stored apart, so that it can be erased. */
export type ActorUser = { readonly id: string };

/**
 * The actor: the client of the token, and the person that it acts for, if given, or the user of the token. `via` says
 * that an agent made the request.
 */
export type Actor = {
  readonly clientId: string;
  readonly onBehalfOf?: string;
  readonly user?: ActorUser;
  readonly via?: 'mcp';
};

/** A user in a history. The salted digest of the name binds the name that readers see to the entry. */
export type NamedUser = ActorUser & { readonly nameDigest?: string };

/** An actor in the history of a return. The person of `onBehalfOf` is encrypted with the key of the return. */
export type EncryptedActor = Pick<Actor, 'clientId' | 'via'> & { readonly sealed?: string; readonly user?: NamedUser };

/** Returns an actor without the person of `onBehalfOf` and without a name: what events and other readers may have. */
export const publicActor = ({
  clientId,
  user,
}: Pick<Actor, 'clientId' | 'user'>): Pick<Actor, 'clientId' | 'user'> => ({
  clientId,
  ...(user !== undefined && { user: { id: user.id } }),
});

type Actor = {
  readonly clientId: string;
  readonly onBehalfOf?: string;
  readonly user?: { readonly id: string; readonly name?: string };
};

/** Returns who did something: a person if one is known, otherwise the client. */
export const actorText = ({ clientId, onBehalfOf, user }: Actor): string =>
  user?.name ?? user?.id ?? (onBehalfOf === undefined ? clientId : `${onBehalfOf} (${clientId})`);

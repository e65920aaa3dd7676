/** Returns the names of the rows of a platform. */
export const rowsOf = (platform: string) =>
  ({
    secret: `platform ${platform}`,
    sources: `platform ${platform} sources`,
    webhooks: `platform ${platform} webhook secrets`,
    api: `platform ${platform} API`,
    scopes: `platform ${platform} scopes`,
  }) as const;

const maxNames = 5;

/** Returns some names as a text, and the number of the others. */
export const list = (names: readonly string[]): string =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`;

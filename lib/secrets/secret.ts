import { inspect } from 'node:util';

/** One version of a secret. Its text is reached by name only: printing, copying or serialising it shows the version. */
export class Secret {
  readonly versionId: string;
  readonly #text: string;

  constructor(versionId: string, text: string) {
    this.versionId = versionId;
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  toString(): string {
    return `[secret ${this.versionId}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** The labels that Secrets Manager moves between versions while a secret is rotated. */
export type Stage = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING';

/** The reason where there is no such secret, nothing in it yet, or no version with that label: AWS has one name for all. */
export const notFound = 'ResourceNotFoundException';

/**
 * A secret that cannot be had. `reason` is the name of what went wrong (`AccessDeniedException`, `TimeoutError`); the
 * SDK's own message and the answer it carries are left behind.
 */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
  readonly reason: string;

  constructor(reason: string) {
    super(`the secret cannot be read: ${reason}`);
    this.reason = reason;
  }
}

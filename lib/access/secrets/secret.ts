import { inspect } from 'node:util';

/** One version of a secret. Only `text` returns its text: printing, copying or serialising it shows the version. */
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

/**
 * The reason when the secret, its value, or a version with that label does not exist: AWS uses one name for all three.
 */
export const notFound = 'ResourceNotFoundException';

/**
 * A secret is unavailable. `reason` names the failure (`AccessDeniedException`, `TimeoutError`). The SDK's message and
 * response are dropped.
 */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
  readonly reason: string;

  constructor(reason: string) {
    super(`the secret cannot be read: ${reason}`);
    this.reason = reason;
  }
}

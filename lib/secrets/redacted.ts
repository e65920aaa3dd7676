import { inspect } from 'node:util';

const mark = '[redacted]';

/** A text that shows itself only when asked by name: never in a log line, in JSON, in `inspect` or in a template. */
export class Redacted {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return mark;
  }

  toJSON(): string {
    return mark;
  }

  [inspect.custom](): string {
    return mark;
  }
}

import type { JsonObject } from '../../../lib/runtime/json.ts';

/** Returns the member of an answer at a path such as `answer.status`. */
export const memberOf = (body: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], body);

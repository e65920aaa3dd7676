import { idempotencyKeyPattern } from '../contract/headers.ts';
import type { Operation } from '../contract/operation.ts';
import { fail, ok, type Result } from '../contract/result.ts';

/** What a request says of how it wants to be carried out, as the text of its query and its headers. */
type Asked = {
  readonly dryRun: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
};

/** How a request wants to be carried out. */
export type Preconditions = { readonly dryRun: boolean; readonly idempotencyKey?: string; readonly ifMatch?: number };

const refuse = (path: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: `${path} is malformed.`,
    errors: [{ path, code: 'pattern', message }],
  });

const readDryRun = (operation: Operation, asked: Asked): Result<boolean> => {
  const value = operation.dryRun ? asked.dryRun : undefined;
  if (value === undefined || value === 'false') return ok(false);
  return value === 'true' ? ok(true) : refuse('/dryRun', 'must be true or false');
};

const readKey = (operation: Operation, asked: Asked, dryRun: boolean): Result<string | undefined> => {
  if (!operation.idempotencyKey || dryRun) return ok(undefined);
  const key = asked.idempotencyKey;
  const path = 'header:Idempotency-Key';
  if (key === undefined || key === '') {
    const message = 'must be a value that is new for each new request, such as a UUID';
    return fail({
      code: 'idempotency_key_required',
      detail: 'This operation needs an Idempotency-Key.',
      errors: [{ path, code: 'required', message }],
    });
  }
  return new RegExp(idempotencyKeyPattern).test(key)
    ? ok(key)
    : refuse(path, 'must be 1 to 255 printable ASCII characters without spaces');
};

const readIfMatch = ({ ifMatch }: Operation, asked: Asked): Result<number | undefined> => {
  const path = 'header:If-Match';
  const value = ifMatch === 'ignored' ? undefined : asked.ifMatch;
  const message = 'must be the ETag of the return as it was last read, such as "3"';
  if (value === undefined && ifMatch === 'required') {
    return fail({
      code: 'precondition_required',
      detail: 'This operation needs an If-Match.',
      errors: [{ path, code: 'required', message }],
    });
  }
  // Any version at all is what If-Match is there to rule out, where it must be sent.
  if (value === undefined || (value === '*' && ifMatch === 'heeded')) return ok(undefined);
  const version = /^"(\d{1,15})"$/.exec(value)?.[1];
  return version === undefined ? refuse(path, message) : ok(Number(version));
};

/** `dryRun`, `Idempotency-Key` and `If-Match`, as far as the operation heeds them. */
export const preconditionsOf = (operation: Operation, asked: Asked): Result<Preconditions> => {
  const dryRun = readDryRun(operation, asked);
  if (!dryRun.ok) return dryRun;
  const key = readKey(operation, asked, dryRun.value);
  if (!key.ok) return key;
  const ifMatch = readIfMatch(operation, asked);
  if (!ifMatch.ok) return ifMatch;
  return ok({
    dryRun: dryRun.value,
    ...(key.value === undefined ? {} : { idempotencyKey: key.value }),
    ...(ifMatch.value === undefined ? {} : { ifMatch: ifMatch.value }),
  });
};

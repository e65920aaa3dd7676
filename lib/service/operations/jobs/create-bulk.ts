import * as addNote from '#validators/addNote';
import * as approve from '#validators/approve';
import * as assignReturn from '#validators/assignReturn';
import * as cancel from '#validators/cancel';
import * as closeReceipt from '#validators/closeReceipt';
import * as complete from '#validators/complete';
import * as expire from '#validators/expire';
import * as reject from '#validators/reject';
import * as requestInfo from '#validators/requestInfo';
import type { Input, Output } from '../../../contract/contract.ts';
import type { FieldError } from '../../../contract/errors.ts';
import { type BulkCommand, fieldsOfOneReturn } from '../../../contract/jobs/bulk-commands.ts';
import * as operations from '../../../contract/operations.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { flatInputValidator } from '../../../contract/validation/with-validation.ts';
import { nameDigestOf } from '../../../store/personal/user-names.ts';
import type { BulkItem, BulkJob, BulkPartition } from '../../../store/jobs/job.ts';
import { bulkView } from '../../views/job-view.ts';
import { invalidRequest } from '../policies/known-policy.ts';
import { beginJob, newJob } from './begin-job.ts';

/** The validators of the commands, as over HTTP. */
const validators: Readonly<Record<BulkCommand, ReturnType<typeof flatInputValidator>>> = {
  addNote: /* @__PURE__ */ flatInputValidator(operations.addNote, addNote),
  approve: /* @__PURE__ */ flatInputValidator(operations.approve, approve),
  assignReturn: /* @__PURE__ */ flatInputValidator(operations.assignReturn, assignReturn),
  cancel: /* @__PURE__ */ flatInputValidator(operations.cancel, cancel),
  closeReceipt: /* @__PURE__ */ flatInputValidator(operations.closeReceipt, closeReceipt),
  complete: /* @__PURE__ */ flatInputValidator(operations.complete, complete),
  expire: /* @__PURE__ */ flatInputValidator(operations.expire, expire),
  reject: /* @__PURE__ */ flatInputValidator(operations.reject, reject),
  requestInfo: /* @__PURE__ */ flatInputValidator(operations.requestInfo, requestInfo),
};

/** Returns the returns that the list has more than once. */
const duplicates = (items: readonly BulkItem[]): readonly FieldError[] => {
  const seen = new Set<string>();
  return items.flatMap(({ returnId }, index) => {
    if (!seen.has(returnId)) {
      seen.add(returnId);
      return [];
    }
    return [{ path: `/items/${index}/returnId`, code: 'duplicate', message: 'must not be in the list before' }];
  });
};

/** Returns the body of the command, validated as for one return. */
const bodyOf = ({ command, body = {}, items }: Input<'createBulk'>): Result<Readonly<Record<string, unknown>>> => {
  const single = [...fieldsOfOneReturn, 'returnId'].filter((name) => Object.hasOwn(body, name));
  if (single.length > 0)
    return fail(
      invalidRequest(
        ...single.map((name) => ({
          path: `/body/${name}`,
          code: 'unexpected',
          message: 'must be absent, because it belongs to one return',
        })),
      ),
    );
  const valid = validators[command]({ ...body, returnId: items[0]?.returnId });
  if (valid.ok) {
    const { returnId: _, ...validated } = valid.value;
    return ok(validated);
  }
  const { errors = [] } = valid.failure;
  return fail(invalidRequest(...errors.map((error) => ({ ...error, path: `/body${error.path}` }))));
};

/** The minimum number of returns for each worker. */
const minPerPart = 10;
/** The maximum number of workers. */
const maxParts = 8;

const partsOf = (items: readonly BulkItem[]): readonly BulkPartition[] => {
  const size = Math.max(minPerPart, Math.ceil(items.length / maxParts));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, shard) => ({
    shard,
    done: false,
    items: items.slice(shard * size, (shard + 1) * size),
    results: [],
  }));
};

/** Starts a job that runs one command on many returns. A repeat of the request enqueues the unstarted partitions. */
export const createBulk = async (
  input: Input<'createBulk'>,
  call: Call,
): Promise<Result<Reply<Output<'createBulk'>>>> => {
  const { command, items, dryRun = false } = input;
  const repeated = duplicates(items);
  if (repeated.length > 0) return fail(invalidRequest(...repeated));
  const body = bodyOf(input);
  if (!body.ok) return body;
  const { user } = call.caller;
  return beginJob('createBulk', input, call, async (_, now) => {
    const nameDigest = user && nameDigestOf(user);
    const job: BulkJob = {
      ...newJob(call, now),
      kind: 'bulk',
      request: { command, items: items.length, dryRun },
      body: body.value,
      scopes: call.caller.scopes,
      ...(nameDigest !== undefined && { nameDigest }),
      traceId: call.traceId,
    };
    const parts = partsOf(items);
    return ok({ job, parts, body: bulkView(job, parts), location: `${basePath}/bulk-commands/${job.id}` });
  });
};

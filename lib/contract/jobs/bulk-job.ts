import Type from 'typebox';
import { Status } from '../returns/return-head.ts';
import { about, closed, id, oneOf, text } from '../scalars.ts';
import { bulkCommands } from './bulk-commands.ts';
import { jobHead, Total } from './job-head.ts';

const { Optional: optional, Array: list } = Type;

const Command = oneOf(...bulkCommands);
const dryRunText = 'true: the job evaluates each command and changes no return.';

const BulkItem = closed({
  returnId: about(id('ret'), 'The id of the return. The list has each return once.'),
  version: optional(
    about(Type.Integer({ minimum: 1 }), 'The version that the return must have, like `If-Match`. If absent, any.'),
  ),
});

export const NewBulk = closed(
  {
    command: about(Command, 'The command, by the name of its operation.'),
    body: optional(
      about(
        Type.Record(Type.String(), Type.Unknown()),
        'The body of the command, for all returns. It has neither `lines` nor `observed`. If absent, an empty object.',
      ),
    ),
    items: about(list(BulkItem, { minItems: 1, maxItems: 200 }), 'The returns.'),
    dryRun: optional(about(Type.Boolean(), `${dryRunText} If absent, false.`)),
  },
  { $id: 'NewBulk', description: 'One command for many returns.' },
);

/** The fields that a bulk job has in a list and by itself. */
export const bulkHead = {
  ...jobHead,
  kind: about(oneOf('bulk'), 'The kind of the job.'),
  request: about(
    closed({
      command: about(Command, 'The command.'),
      items: about(Total, 'The number of returns.'),
      dryRun: about(Type.Boolean(), dryRunText),
    }),
    'The request, without the body of the command. The service deletes the body when the job ends.',
  ),
};

const BulkResult = closed(
  {
    returnId: about(id('ret'), 'The id of the return.'),
    outcome: about(
      oneOf('succeeded', 'refused', 'failed'),
      '`refused`: the service refused the command. `failed`: an unexpected error, which the log of the worker names.',
    ),
    version: optional(about(Type.Integer({ minimum: 1 }), 'The version of the return after the command.')),
    status: optional(about(Status, 'The status of the return after the command.')),
    problem: optional(
      about(
        closed({
          code: about(text(100), 'The error code, as the command responds with it.'),
          detail: about(text(4000), 'What is wrong, and what to do.'),
        }),
        'Why the command had no effect. Absent if it succeeded.',
      ),
    ),
  },
  { $id: 'BulkResult', description: 'The result of the command for one return.' },
);

export const BulkJob = closed(
  {
    ...bulkHead,
    progress: about(
      closed({
        succeeded: about(Total, 'The returns with the outcome `succeeded` so far.'),
        refused: about(Total, 'The returns with the outcome `refused` so far.'),
        failed: about(Total, 'The returns with the outcome `failed` so far.'),
      }),
      'The progress of the job.',
    ),
    results: about(list(BulkResult), 'The results so far, in the order of the request.'),
  },
  { $id: 'BulkJob', description: 'A job that runs one command on many returns.' },
);

import Type from 'typebox';
import { about, Actor, closed, id, Instant, oneOf } from '../scalars.ts';

/* The fields that jobs of all kinds have. */

export const Total = Type.Integer({ minimum: 0 });

export const JobStatus = oneOf('queued', 'running', 'done', 'cancelled', 'failed');

const Failure = closed({
  code: about(
    oneOf('dependency_unavailable', 'internal_error', 'timeout', 'too_large'),
    'The cause of the failure. `too_large`: the job cannot be done as it was requested.',
  ),
  part: about(Total, 'The partition of the job that failed, from 0.'),
});

export const jobHead = {
  jobId: about(id('job'), 'The id of the job.'),
  status: about(JobStatus, 'The status of the job. `queued`: no worker has started it.'),
  failure: Type.Optional(about(Failure, 'Why the job failed. Present with the status `failed` only.')),
  createdAt: about(Instant, 'When the job was created.'),
  createdBy: about(Actor, 'The client that created the job.'),
  updatedAt: about(Instant, 'When the record of the job last changed.'),
};

import { listJobs } from '#backend';
import * as validators from '#validators/listJobs';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listJobs, validators, listJobs);

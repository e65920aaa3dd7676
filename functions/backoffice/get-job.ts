import { getJob } from '#backend';
import * as validators from '#validators/getJob';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getJob, validators, getJob);

import { cancelJob } from '#backend';
import * as validators from '#validators/cancelJob';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.cancelJob, validators, cancelJob);

import { reject } from '#backend';
import * as validators from '#validators/reject';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.reject, validators, reject);

import { putReason } from '#backend';
import * as validators from '#validators/putReason';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.putReason, validators, putReason);

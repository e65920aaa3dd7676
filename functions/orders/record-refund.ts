import { recordRefund } from '#backend';
import * as validators from '#validators/recordRefund';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.recordRefund, validators, recordRefund);

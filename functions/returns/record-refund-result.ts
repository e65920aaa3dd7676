import { recordRefundResult } from '#backend';
import * as validators from '#validators/recordRefundResult';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.recordRefundResult, validators, recordRefundResult);

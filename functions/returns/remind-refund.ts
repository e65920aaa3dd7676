import { remindRefund } from '#backend';
import * as validators from '#validators/remindRefund';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.remindRefund, validators, remindRefund);

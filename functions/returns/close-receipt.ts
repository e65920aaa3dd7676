import { closeReceipt } from '#backend';
import * as validators from '#validators/closeReceipt';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.closeReceipt, validators, closeReceipt);

import { refund } from '#backend';
import * as validators from '#validators/refund';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.refund, validators, refund);

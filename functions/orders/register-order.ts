import { registerOrder } from '#backend';
import * as validators from '#validators/registerOrder';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.registerOrder, validators, registerOrder);

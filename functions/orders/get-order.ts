import { getOrder } from '#backend';
import * as validators from '#validators/getOrder';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getOrder, validators, getOrder);

import { listDeliveries } from '#backend';
import * as validators from '#validators/listDeliveries';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listDeliveries, validators, listDeliveries);

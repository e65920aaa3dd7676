import { listReturns } from '#backend';
import * as validators from '#validators/listReturns';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listReturns, validators, listReturns);

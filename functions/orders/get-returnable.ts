import { getReturnable } from '#backend';
import * as validators from '#validators/getReturnable';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getReturnable, validators, getReturnable);

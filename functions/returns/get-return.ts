import { getReturn } from '#backend';
import * as validators from '#validators/getReturn';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getReturn, validators, getReturn);

import { updateReturn } from '#backend';
import * as validators from '#validators/updateReturn';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.updateReturn, validators, updateReturn);

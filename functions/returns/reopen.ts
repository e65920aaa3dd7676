import { reopen } from '#backend';
import * as validators from '#validators/reopen';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.reopen, validators, reopen);

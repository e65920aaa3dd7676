import { listReasons } from '#backend';
import * as validators from '#validators/listReasons';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listReasons, validators, listReasons);

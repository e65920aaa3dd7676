import { expire } from '#backend';
import * as validators from '#validators/expire';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.expire, validators, expire);

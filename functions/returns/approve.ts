import { approve } from '#backend';
import * as validators from '#validators/approve';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.approve, validators, approve);

import { complete } from '#backend';
import * as validators from '#validators/complete';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.complete, validators, complete);

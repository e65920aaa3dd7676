import { cancel } from '#backend';
import * as validators from '#validators/cancel';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.cancel, validators, cancel);

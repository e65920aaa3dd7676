import { redrive } from '#backend';
import * as validators from '#validators/redrive';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.redrive, validators, redrive);

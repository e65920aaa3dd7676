import { createReturn } from '#backend';
import * as validators from '#validators/createReturn';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.createReturn, validators, createReturn);

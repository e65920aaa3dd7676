import { quoteReturn } from '#backend';
import * as validators from '#validators/quoteReturn';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.quoteReturn, validators, quoteReturn);

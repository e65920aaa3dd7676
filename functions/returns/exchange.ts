import { exchange } from '#backend';
import * as validators from '#validators/exchange';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.exchange, validators, exchange);

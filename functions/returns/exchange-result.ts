import { exchangeResult } from '#backend';
import * as validators from '#validators/exchangeResult';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.exchangeResult, validators, exchangeResult);

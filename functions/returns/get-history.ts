import { getHistory } from '#backend';
import * as validators from '#validators/getHistory';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getHistory, validators, getHistory);

import { requestInfo } from '#backend';
import * as validators from '#validators/requestInfo';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.requestInfo, validators, requestInfo);

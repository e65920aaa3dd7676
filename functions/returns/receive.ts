import { receive } from '#backend';
import * as validators from '#validators/receive';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.receive, validators, receive);

import { grant } from '#backend';
import * as validators from '#validators/grant';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.grant, validators, grant);

import { openapi } from '#backend';
import * as validators from '#validators/openapi';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.openapi, validators, openapi);

import { asyncapi } from '#backend';
import * as validators from '#validators/asyncapi';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.asyncapi, validators, asyncapi);

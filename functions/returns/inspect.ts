import { inspect } from '#backend';
import * as validators from '#validators/inspect';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.inspect, validators, inspect);

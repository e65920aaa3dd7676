import { getPolicy } from '#backend';
import * as validators from '#validators/getPolicy';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getPolicy, validators, getPolicy);

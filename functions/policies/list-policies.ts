import { listPolicies } from '#backend';
import * as validators from '#validators/listPolicies';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listPolicies, validators, listPolicies);

import { createPolicy } from '#backend';
import * as validators from '#validators/createPolicy';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.createPolicy, validators, createPolicy);

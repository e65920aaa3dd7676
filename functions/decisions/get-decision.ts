import { getDecision } from '#backend';
import * as validators from '#validators/getDecision';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getDecision, validators, getDecision);

import { getSummary } from '#backend';
import * as validators from '#validators/getSummary';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getSummary, validators, getSummary);

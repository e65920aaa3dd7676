import { getAnalytics } from '#backend';
import * as validators from '#validators/getAnalytics';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getAnalytics, validators, getAnalytics);

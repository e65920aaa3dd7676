import { verifyHistory } from '#backend';
import * as validators from '#validators/verifyHistory';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.verifyHistory, validators, verifyHistory);

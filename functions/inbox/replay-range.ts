import { replayRange } from '#backend';
import * as validators from '#validators/replayRange';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.replayRange, validators, replayRange);

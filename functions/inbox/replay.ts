import { replay } from '#backend';
import * as validators from '#validators/replay';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.replay, validators, replay);

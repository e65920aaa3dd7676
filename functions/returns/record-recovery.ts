import { recordRecovery } from '#backend';
import * as validators from '#validators/recordRecovery';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.recordRecovery, validators, recordRecovery);

import { writeOffRecovery } from '#backend';
import * as validators from '#validators/writeOffRecovery';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.writeOffRecovery, validators, writeOffRecovery);

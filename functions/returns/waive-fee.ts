import { waiveFee } from '#backend';
import * as validators from '#validators/waiveFee';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.waiveFee, validators, waiveFee);

import { archive } from '#backend';
import * as validators from '#validators/archive';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.archive, validators, archive);

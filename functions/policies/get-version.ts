import { getVersion } from '#backend';
import * as validators from '#validators/getVersion';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getVersion, validators, getVersion);

import { listVersions } from '#backend';
import * as validators from '#validators/listVersions';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listVersions, validators, listVersions);

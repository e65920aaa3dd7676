import { provideInfo } from '#backend';
import * as validators from '#validators/provideInfo';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.provideInfo, validators, provideInfo);

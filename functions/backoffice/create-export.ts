import { createExport } from '#backend';
import * as validators from '#validators/createExport';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.createExport, validators, createExport);

import { listEvents } from '#backend';
import * as validators from '#validators/listEvents';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listEvents, validators, listEvents);

import { listWebhookEndpoints } from '#backend';
import * as validators from '#validators/listWebhookEndpoints';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listWebhookEndpoints, validators, listWebhookEndpoints);

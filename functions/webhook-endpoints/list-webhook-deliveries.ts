import { listWebhookDeliveries } from '#backend';
import * as validators from '#validators/listWebhookDeliveries';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.listWebhookDeliveries, validators, listWebhookDeliveries);

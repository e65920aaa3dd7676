import { getWebhookDelivery } from '#backend';
import * as validators from '#validators/getWebhookDelivery';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getWebhookDelivery, validators, getWebhookDelivery);

import { redeliverWebhook } from '#backend';
import * as validators from '#validators/redeliverWebhook';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.redeliverWebhook, validators, redeliverWebhook);

import { updateWebhookEndpoint } from '#backend';
import * as validators from '#validators/updateWebhookEndpoint';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.updateWebhookEndpoint, validators, updateWebhookEndpoint);

import { getWebhookEndpoint } from '#backend';
import * as validators from '#validators/getWebhookEndpoint';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.getWebhookEndpoint, validators, getWebhookEndpoint);

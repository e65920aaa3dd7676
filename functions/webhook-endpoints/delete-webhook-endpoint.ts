import { deleteWebhookEndpoint } from '#backend';
import * as validators from '#validators/deleteWebhookEndpoint';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.deleteWebhookEndpoint, validators, deleteWebhookEndpoint);

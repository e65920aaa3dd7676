import { createWebhookEndpoint } from '#backend';
import * as validators from '#validators/createWebhookEndpoint';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.createWebhookEndpoint, validators, createWebhookEndpoint);

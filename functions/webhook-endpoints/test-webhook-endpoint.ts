import { testWebhookEndpoint } from '#backend';
import * as validators from '#validators/testWebhookEndpoint';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.testWebhookEndpoint, validators, testWebhookEndpoint);

import { health } from '#backend';
import * as validators from '#validators/health';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.health, validators, health);

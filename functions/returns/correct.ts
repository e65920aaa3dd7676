import { correct } from '#backend';
import * as validators from '#validators/correct';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.correct, validators, correct);

import { testDraft } from '#backend';
import * as validators from '#validators/testDraft';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.testDraft, validators, testDraft);

import { diffVersions } from '#backend';
import * as validators from '#validators/diffVersions';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.diffVersions, validators, diffVersions);

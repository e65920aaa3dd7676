import { addNote } from '#backend';
import * as validators from '#validators/addNote';
import * as operations from '../../lib/contract/operations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(operations.addNote, validators, addNote);

import { readFile } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { pathNames } from '../../contract/operation.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { isObject, type JsonObject, parseJson } from '../../runtime/json.ts';
import { jsonErrorPlace } from '../../runtime/json-error.ts';
import { optionName } from './field-options.ts';
import type { Field, OperationInfo } from './catalogue.ts';

/** The service takes at most 6 MB. */
const maxBodyBytes = 6 * 1024 * 1024;

const readStream = async (stream: Readable, signal: AbortSignal): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const readSource = async (source: string, stdin: Readable, signal: AbortSignal): Promise<Result<string, string>> => {
  if (source !== '-') {
    try {
      return ok(await readFile(source, 'utf8'));
    } catch (error) {
      return fail(`--body: ${source} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
    }
  }
  const text = await readStream(stdin, signal);
  return text === undefined ? fail(`--body: the input has more than ${maxBodyBytes} bytes.`) : ok(text);
};

/**
 * Reads the object of `--body`.
 *
 * @param source a file, or `-` for stdin
 */
export const readBody = async (
  source: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<Result<JsonObject, string>> => {
  const read = await readSource(source, stdin, signal);
  if (!read.ok) return read;
  const text = read.value.replace(/^\ufeff/, '');
  const body = parseJson(text);
  if (body === undefined) return fail(`--body must be JSON. The error is at ${jsonErrorPlace(text)}.`);
  return isObject(body) ? ok(body) : fail('--body must be a JSON object.');
};

export type CommandInput = {
  /** The values of the path, in the order of the path. */
  readonly params: readonly unknown[];
  /** The values of the options by field. */
  readonly fields: JsonObject;
  /** The object of `--body`. */
  readonly body: JsonObject | undefined;
};

const optionsOf = (fields: readonly Field[]): string => fields.map((field) => `--${optionName(field)}`).join(', ');

/**
 * Returns the input of an operation: path, query and body in one object. An option replaces the field of `--body` with
 * the same name. Without `--body`, a missing required option is a usage error in one sentence.
 */
export const buildInput = (
  { operation, query, body: bodyFields }: OperationInfo,
  { params, fields, body }: CommandInput,
): Result<JsonObject, string> => {
  const path = Object.fromEntries(pathNames(operation).map((name, index) => [name, params[index]]));
  const missing = [...query, ...(body === undefined ? bodyFields : [])].filter(
    ({ name, required }) => required && fields[name] === undefined,
  );
  if (missing.length > 0) {
    const instead = bodyFields.length > 0 ? ' or --body' : '';
    return fail(`The command needs ${optionsOf(missing)}${instead}.`);
  }
  return ok({ ...body, ...fields, ...path });
};

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ErrorCode } from '../../contract/errors.ts';
import { isObject, type JsonObject, parseJson } from '../../runtime/json.ts';

/*
 * Recorded exchanges with a Returns Service: a file for each operation, `lib/adapters/<name>/recordings/<operation>.json`.
 * They have no personal data (personal-data.ts).
 */

export type ForeignMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request that the adapter must send. */
export type ExpectedRequest = {
  readonly method: ForeignMethod;
  /** The path below the path of the service, as it is sent: encoded. */
  readonly path: string;
  /** All parameters of the query, as text. @default none */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Headers that the request must have, with names in lower case. It may have others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON of the body. @default none */
  readonly body?: unknown;
};

/** What the service answers. `lost`: it has carried out the request, and the connection breaks without an answer. */
export type RecordedAnswer = 'lost' | { readonly status: number; readonly body?: unknown };

export type RecordedExchange = {
  readonly request: ExpectedRequest;
  readonly answer: RecordedAnswer;
  /** The same request may come again, and gets the same answer. For outages, and for a state that stays the same. */
  readonly again?: true;
  /** The description does not have this answer: the case shows what the adapter makes of it. */
  readonly undescribed?: true;
};

/** One call of an operation of ours, and the exchanges that it needs, in their order. */
export type RecordedCase = {
  readonly title: string;
  /** Our input: the fields of the path, the query and the body. */
  readonly input: JsonObject;
  /**
   * The Idempotency-Key of a command whose requests have a name made of it.
   * @default a random one
   */
  readonly key?: string;
  readonly exchanges: readonly RecordedExchange[];
  /** Our complete answer. @default any answer that fits the core */
  readonly answer?: unknown;
  /** The word of a state that the adapter does not know. */
  readonly unknownState?: string;
  /** Our failure instead of an answer: its code, and the path of its first error of a field. */
  readonly failure?: { readonly code: ErrorCode; readonly path?: string };
};

export type Recording = {
  readonly operation: string;
  /** Where the exchanges come from: a service and a day, or `written by hand`. */
  readonly source: string;
  readonly cases: readonly RecordedCase[];
};

/** Returns the folder of an adapter's recordings. */
export const recordingsFolder = (adapter: string): string => `lib/adapters/${adapter}/recordings`;

const isCase = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['title'] === 'string' &&
  isObject(value['input']) &&
  Array.isArray(value['exchanges']) &&
  value['exchanges'].every((exchange) => isObject(exchange) && isObject(exchange['request']) && 'answer' in exchange);

const isRecording = (value: unknown): value is Recording =>
  isObject(value) &&
  typeof value['operation'] === 'string' &&
  typeof value['source'] === 'string' &&
  Array.isArray(value['cases']) &&
  value['cases'].every(isCase);

/**
 * Reads the recordings of a folder by operation; none when the folder does not exist.
 *
 * @throws {Error} that names the file, for a file that is no recording of the operation in its name
 */
export const readRecordings = async (folder: string): Promise<ReadonlyMap<string, Recording>> => {
  const recordings = new Map<string, Recording>();
  for (const file of globSync('*.json', { cwd: folder }).toSorted()) {
    const recording = parseJson(await readFile(join(folder, file), 'utf8'));
    const operation = basename(file, '.json');
    if (!isRecording(recording) || recording.operation !== operation)
      throw new Error(
        `${join(folder, file)} must be a recording of ${operation}: operation, source, and cases with title, input and exchanges`,
      );
    recordings.set(operation, recording);
  }
  return recordings;
};

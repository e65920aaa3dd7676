import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseObject } from '../../../lib/runtime/json.ts';
import { readJson } from '../../../lib/tools/local/json-file.ts';
import { minPlanted } from './record.ts';

/** A found secret: the file in the scope, its form, and the text around it. */
export type Leak = { readonly file: string; readonly what: string; readonly line: string };

export type Search = {
  readonly leaks: readonly Leak[];
  /** The number of searched characters, by the first word of the files' names. */
  readonly searched: Readonly<Record<string, number>>;
  /** The number of planted secrets in the search, without the shapes. */
  readonly planted: number;
};

/** Texts with the shape of a secret, from any source. */
const shapes: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a JSON web token': /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
  // Without a word boundary: an escape before the secret, such as `%20` or `
  // `, ends with a letter or a digit.
  'a token of a test endpoint': /token-\d/,
  'a secret of a test': /marker-[0-9a-f]{4}/,
  'a bearer token': /bearer(?: |\+|%20)+(?!token\b)[\w.~+/-]{12,}/i,
};

/** The length of a secret's beginning in the search. */
const window = minPlanted;

/** Returns the base64 of a text at each of the three offsets where it can start. */
const base64Of = (text: string): readonly string[] =>
  [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
    // The first and last characters depend on the neighbouring bytes.
    const own = encoded.slice(shift === 0 ? 0 : 4, -4);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** Returns a secret in its written forms: plain, in a URL, and in a form, as Basic has it (RFC 6749, 2.3.1). */
const formsOf = (secret: string): readonly string[] => {
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  // A lone surrogate has no form in a URL: encoders write U+FFFD.
  const written = [secret, encodeURIComponent(secret.toWellFormed()), form];
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [...written, escaped, Buffer.from(secret).toString('hex'), ...written.flatMap(base64Of)];
};

/** Returns the beginnings of all forms of all secrets. */
const needlesOf = (secrets: Iterable<string>): ReadonlySet<string> =>
  new Set(
    Array.from(secrets)
      .flatMap(formsOf)
      .filter((form) => form.length >= window)
      .map((form) => form.slice(0, window)),
  );

/** Returns every text in a value, and in the JSON of its texts. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  const inner = parseObject(value);
  return inner === undefined ? [value] : textsIn(inner);
};

/** An address, a name of ours, an ARN, and a global id of Shopify are in an entry, and are no secrets. */
const isSecret = (text: string): boolean => text.length >= window && !/^(https?:|returns-|arn:|gid:)/.test(text);

/** Returns the secrets in a value that are long enough for the search. */
export const secretsIn = (value: unknown): readonly string[] => textsIn(value).filter(isSecret);

/** Returns the secrets of a stack: client secrets, signing secrets, and the private parts of its keys. */
export const secretsOfStack = async (dataDir: string): Promise<readonly string[]> => {
  const values =
    (await readJson<{ versions: Record<string, { secretString?: string }> }[]>(join(dataDir, 'secrets.json'))) ?? [];
  const state = await readJson<{
    jwks: { keys: Record<string, string>[] };
    cookieKey: string;
    clients: { clientSecret: string }[];
  }>(join(dataDir, 'identity-provider.json'));
  const keys = (state?.jwks.keys ?? []).flatMap(({ d = '', p = '', q = '' }) => [d, p, q]);
  const clients = (state?.clients ?? []).map(({ clientSecret }) => clientSecret);
  const strings = values.flatMap(({ versions }) => Object.values(versions)).map(({ secretString }) => secretString);
  return secretsIn([strings, keys, clients, state?.cookieKey]);
};

const plantedIn = async (scope: string): Promise<ReadonlySet<string>> => {
  const lines = await readFile(join(scope, 'planted.jsonl'), 'utf8').catch(() => '');
  const named = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as string]));
  return new Set([...named, ...(await secretsOfStack(scope))]);
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** The number of a needle's first characters in the lookup table. Each gives five bits of an index. */
const prefixLength = 4;
const tableSize = 2 ** (5 * prefixLength);

const shifted = (hash: number, text: string, at: number): number =>
  ((hash << 5) ^ text.charCodeAt(at)) & (tableSize - 1);

/** Returns whether a line has a needle. Few places of a line match the table, so few need a full lookup. */
const finderOf = (needles: ReadonlySet<string>): ((line: string) => boolean) => {
  const isPrefix = new Uint8Array(tableSize);
  for (const needle of needles) {
    let hash = 0;
    for (let at = 0; at < prefixLength; at += 1) hash = shifted(hash, needle, at);
    isPrefix[hash] = 1;
  }
  return (line) => {
    let hash = 0;
    for (let at = 0; at < line.length; at += 1) {
      hash = shifted(hash, line, at);
      if (isPrefix[hash] !== 1) continue;
      const start = at - prefixLength + 1;
      if (start >= 0 && needles.has(line.slice(start, start + window))) return true;
    }
    return false;
  };
};

const receipt = /(eyJ[\w-]{8,})\.eyJ[\w-]{8,}\.[\w-]{8,}/g;

/**
 * Leaves receipts of withdrawals out of a line. They have the shape of a token, but are for the consumer. Only logs and
 * errors must not have one, because it holds personal data.
 */
const withoutReceipts = (line: string): string =>
  line.replaceAll(receipt, (token, header: string) =>
    Buffer.from(header, 'base64url').toString().includes('"withdrawal-receipt+jwt"') ? '' : token,
  );

const isLogged = (kind: string): boolean => kind === 'error' || kind.includes('log');

const faultsOf = (line: string, holdsNeedle: (line: string) => boolean): readonly string[] => [
  ...Object.entries(shapes).flatMap(([what, shape]) => (shape.test(line) ? [what] : [])),
  ...(holdsNeedle(line) ? ['a planted secret'] : []),
];

/** Searches the recorded output of a scope, and the logs of its stack, for its planted secrets. */
export const search = async (scope: string): Promise<Search> => {
  const secrets = await plantedIn(scope);
  const holdsNeedle = finderOf(needlesOf(secrets));
  const leaks: Leak[] = [];
  const searched: Record<string, number> = {};
  for (const path of [...(await filesIn(join(scope, 'emitted'))), ...(await filesIn(join(scope, 'logs')))]) {
    const file = relative(scope, path);
    const [kind = ''] = file.replace(/^(emitted|logs)\//, '').split(/[-/]/);
    // Line by line: the lines of a soak may exceed the maximum length of a string.
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      searched[kind] = (searched[kind] ?? 0) + line.length;
      const searchedLine = isLogged(kind) ? line : withoutReceipts(line);
      for (const what of faultsOf(searchedLine, holdsNeedle)) leaks.push({ file, what, line: line.slice(0, 500) });
    }
  }
  return { leaks, searched, planted: secrets.size };
};

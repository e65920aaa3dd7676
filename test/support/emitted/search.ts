import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseObject } from '../../../lib/runtime/json.ts';
import { readJson } from '../../../lib/local/json-file.ts';
import { minPlanted } from './record.ts';

/** Where a secret was found: the file below the scope, the form of it, and what is around it. */
export type Leak = { readonly file: string; readonly what: string; readonly line: string };

export type Search = {
  readonly leaks: readonly Leak[];
  /** How many characters were searched, by the first word of the files' names. */
  readonly searched: Readonly<Record<string, number>>;
  /** How many secrets were searched for, besides the shapes. */
  readonly planted: number;
};

/** Texts that are secrets by their shape, whoever made them. */
const shapes: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a JSON web token': /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
  // Whatever is beside them: what escapes the character before, as `%20` and `\n` do, ends with a letter or a digit.
  'a token of a test endpoint': /token-\d/,
  'a secret of a test': /marker-[0-9a-f]{4}/,
  'a bearer token': /bearer(?: |\+|%20)+(?!token\b)[\w.~+/-]{12,}/i,
};

/** How much of the beginning of a secret is looked for. */
const window = minPlanted;

/** Base64 at each of the three places where a text can begin. */
const base64Of = (text: string): readonly string[] =>
  [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
    // The first and last characters depend on what is beside it.
    const own = encoded.slice(shift === 0 ? 0 : 4, -4);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** A secret as it may be written down: as it is, in a URL, and in a form, which is how Basic has it too (RFC 6749, 2.3.1). */
const formsOf = (secret: string): readonly string[] => {
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  // A lone surrogate has no form in a URL: what writes one there writes U+FFFD.
  const written = [secret, encodeURIComponent(secret.toWellFormed()), form];
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [...written, escaped, Buffer.from(secret).toString('hex'), ...written.flatMap(base64Of)];
};

/** The beginnings of all forms of all secrets. */
const needlesOf = (secrets: Iterable<string>): ReadonlySet<string> =>
  new Set(
    Array.from(secrets)
      .flatMap(formsOf)
      .filter((form) => form.length >= window)
      .map((form) => form.slice(0, window)),
  );

/** Every text in a value, and in the JSON that is in its texts. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  const inner = parseObject(value);
  return inner === undefined ? [value] : textsIn(inner);
};

const isSecret = (text: string): boolean => text.length >= window && !/^(https?:|returns-|arn:)/.test(text);

/** The texts in a value of secrets that are long enough to be searched for. */
export const secretsIn = (value: unknown): readonly string[] => textsIn(value).filter(isSecret);

/** What a stack keeps to itself: client secrets, signing secrets, and the private parts of its keys. */
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

/** How many of a needle's first characters are looked at first; each gives five bits of a place in the table. */
const looked = 4;
const places = 2 ** (5 * looked);

const shifted = (place: number, text: string, at: number): number =>
  ((place << 5) ^ text.charCodeAt(at)) & (places - 1);

/** Says whether a line holds a needle: hardly a place of it has to be cut out and looked up, as hardly one begins like any. */
const finderOf = (needles: ReadonlySet<string>): ((line: string) => boolean) => {
  const begun = new Uint8Array(places);
  for (const needle of needles) {
    let place = 0;
    for (let at = 0; at < looked; at += 1) place = shifted(place, needle, at);
    begun[place] = 1;
  }
  return (line) => {
    let place = 0;
    for (let at = 0; at < line.length; at += 1) {
      place = shifted(place, line, at);
      if (begun[place] !== 1) continue;
      const start = at - looked + 1;
      if (start >= 0 && needles.has(line.slice(start, start + window))) return true;
    }
    return false;
  };
};

const faultsOf = (line: string, holdsNeedle: (line: string) => boolean): readonly string[] => [
  ...Object.entries(shapes).flatMap(([what, shape]) => (shape.test(line) ? [what] : [])),
  ...(holdsNeedle(line) ? ['a planted secret'] : []),
];

/** Searches all that a scope has kept, and the logs of its stack, for all that was planted in it. */
export const search = async (scope: string): Promise<Search> => {
  const secrets = await plantedIn(scope);
  const holdsNeedle = finderOf(needlesOf(secrets));
  const leaks: Leak[] = [];
  const searched: Record<string, number> = {};
  for (const path of [...(await filesIn(join(scope, 'emitted'))), ...(await filesIn(join(scope, 'logs')))]) {
    const file = relative(scope, path);
    const [kind = ''] = file.replace(/^(emitted|logs)\//, '').split(/[-/]/);
    // Line by line: those of a soak may be longer than a string can be.
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      searched[kind] = (searched[kind] ?? 0) + line.length;
      for (const what of faultsOf(line, holdsNeedle)) leaks.push({ file, what, line: line.slice(0, 500) });
    }
  }
  return { leaks, searched, planted: secrets.size };
};

import { mailboxKind } from './mailbox.ts';

/*
 * The form of the page. A consumer declares with three texts, and may name the goods. The law lets a trader ask for
 * nothing else (Article 11a(2) of Directive 2011/83/EU).
 */

/** The fields in their order on the page. */
export const fieldNames = ['name', 'contract', 'email', 'lines'] as const;
export type FieldName = (typeof fieldNames)[number];

/** The texts of a form; empty for a field without one. */
export type Entries = Readonly<Record<FieldName, string>> & {
  /** The e-mail address without a dot in its domain that the page has asked about. The consumer may keep it. */
  readonly asked?: string;
};

export const emptyEntries: Entries = { name: '', contract: '', email: '', lines: '' };

/** The limits of `declareWithdrawal`, in characters. */
export const maxLengths: Readonly<Record<FieldName, number>> = { name: 200, contract: 200, email: 320, lines: 2000 };

/** What is wrong with the text of a field. `incomplete` is asked about once. `rejected`: by the service. */
export type EntryError = 'missing' | 'too_long' | 'malformed' | 'incomplete' | 'rejected';
export type EntryErrors = Readonly<Partial<Record<FieldName, EntryError>>>;

/** The forms of a receipt that the page offers for download. */
export const receiptFormats = ['text', 'jws'] as const;
export type ReceiptFormat = (typeof receiptFormats)[number];

/** A submitted form. `edit` shows the texts in the form again, `review` shows them for a check. */
export type Submission =
  | { readonly step: 'edit' | 'review'; readonly entries: Entries }
  | { readonly step: 'confirm'; readonly entries: Entries; readonly key: string }
  | { readonly step: 'download'; readonly receipt: string; readonly format: ReceiptFormat };

/** Why a body is no form of this page. */
export type FormFailure = 'media_type' | 'too_large' | 'malformed' | 'unknown_field' | 'repeated_field';

export type ParsedForm =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly failure: FormFailure };

/** The limit of a decoded form. The longest valid form has 11 kB and its key. */
export const maxFormBytes = 16 * 1024;
/** Percent-encoding writes a byte as up to three, so a longer body cannot be a valid form. */
const maxEncodedBytes = 3 * maxFormBytes;

const rejectForm = (failure: FormFailure): ParsedForm => ({ ok: false, failure });

/** `application/x-www-form-urlencoded`, in UTF-8 if it names a charset. */
const formType = /^application\/x-www-form-urlencoded[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a name or a value of a form; undefined for wrong percent-encoding or wrong UTF-8. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

type Fields = ReadonlyMap<string, string>;

const fieldsOf = (body: string): Fields | FormFailure => {
  const fields = new Map<string, string>();
  let bytes = 0;
  for (const pair of body.split('&')) {
    const at = pair.indexOf('=');
    const [name, value] = [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    if (at < 1 || name === undefined || value === undefined) return 'malformed';
    if (fields.has(name)) return 'repeated_field';
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    if (bytes > maxFormBytes) return 'too_large';
    fields.set(name, value);
  }
  return fields;
};

/** Line ends of any system. */
const lineEnd = /\r\n|[\r\n\u0085\u2028\u2029]/u;

/**
 * Characters without a shape, and those that change the direction of a text. Pasted texts bring them along. An order
 * number with one matches no order, and no consumer sees why.
 */
const invisible = /[\u00AD\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;

/** No format character belongs to an address: mail to such an address does not arrive. */
const anyFormat = /\p{Cf}/gu;

/**
 * Returns the text of a field without invisible and control characters, on one line. The goods keep their lines.
 * Repeating it changes nothing, because the page sends the texts back.
 */
const entryOf = (fields: Fields, name: FieldName | 'asked'): string => {
  const isAddress = name === 'email' || name === 'asked';
  const written = (fields.get(name) ?? '').replaceAll(isAddress ? anyFormat : invisible, '');
  const lines = written.split(lineEnd).map((line) => line.replaceAll(/\p{Cc}/gu, ' '));
  return lines.join(name === 'lines' ? '\n' : ' ').trim();
};

const entriesIn = (fields: Fields): Entries => ({
  name: entryOf(fields, 'name'),
  contract: entryOf(fields, 'contract'),
  email: entryOf(fields, 'email'),
  lines: entryOf(fields, 'lines'),
  ...(fields.has('asked') && { asked: entryOf(fields, 'asked') }),
});

const entryFields: readonly string[] = ['step', 'key', 'asked', ...fieldNames];
const downloadFields: readonly string[] = ['step', 'receipt', 'format'];

const hasOnly = (fields: Fields, known: readonly string[]): boolean =>
  [...fields.keys()].every((name) => known.includes(name));

const downloadIn = (fields: Fields): ParsedForm => {
  const format = receiptFormats.find((name) => name === fields.get('format'));
  const receipt = fields.get('receipt');
  if (format === undefined || receipt === undefined) return rejectForm('malformed');
  return { ok: true, submission: { step: 'download', receipt, format } };
};

const submissionIn = (fields: Fields): ParsedForm => {
  const step = fields.get('step');
  const isDownload = step === 'download';
  if (!hasOnly(fields, isDownload ? downloadFields : entryFields)) return rejectForm('unknown_field');
  if (isDownload) return downloadIn(fields);
  const entries = entriesIn(fields);
  if (step === 'edit' || step === 'review') return { ok: true, submission: { step, entries } };
  const key = fields.get('key');
  if (step !== 'confirm' || key === undefined) return rejectForm('malformed');
  return { ok: true, submission: { step, entries, key } };
};

/** Parses the body of a form. It accepts each known field once, and no other field. */
export const parseForm = (body: Uint8Array, contentType: string | undefined): ParsedForm => {
  if (!formType.test(contentType?.trim() ?? '')) return rejectForm('media_type');
  if (body.byteLength > maxEncodedBytes) return rejectForm('too_large');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return rejectForm('malformed');
  }
  const fields = fieldsOf(text);
  return typeof fields === 'string' ? rejectForm(fields) : submissionIn(fields);
};

const emailError = ({ email, asked }: Entries): EntryError | undefined => {
  const kind = mailboxKind(email);
  if (kind === 'none') return 'malformed';
  return kind === 'dotless' && asked !== email ? 'incomplete' : undefined;
};

const entryErrorOf = (name: FieldName, entries: Entries): EntryError | undefined => {
  const text = entries[name];
  if (text === '') return name === 'lines' ? undefined : 'missing';
  // The contract counts characters, not UTF-16 units.
  if (Array.from(text).length > maxLengths[name]) return 'too_long';
  return name === 'email' ? emailError(entries) : undefined;
};

/** Returns the errors of the texts by field; no members for valid texts. */
export const entryErrorsOf = (entries: Entries): EntryErrors =>
  Object.fromEntries(
    fieldNames.flatMap((name) => {
      const error = entryErrorOf(name, entries);
      return error === undefined ? [] : [[name, error] as const];
    }),
  );

/** Returns the errors that the service reports for a declaration, by their JSON Pointers. */
export const entryErrorsAt = (paths: readonly string[]): EntryErrors =>
  Object.fromEntries(
    fieldNames.filter((name) => paths.includes(`/${name}`)).map((name) => [name, 'rejected'] as const),
  );

/** Returns the declaration of valid texts, as `declareWithdrawal` accepts it. */
export const declarationOf = ({ name, contract, email, lines }: Entries) => ({
  name,
  contract,
  email,
  ...(lines !== '' && { lines }),
});

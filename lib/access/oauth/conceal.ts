import type { Incoming } from '../net/request.ts';
import type { Redacted } from '../secrets/failure-reason.ts';

/** Shorter secrets occur in too many texts by chance. */
const minLength = 8;
const mark = '[redacted]';

/** A form of a secret, and its bytes in UTF-8 as one character each: a search of those is twice as fast. */
type Form = { readonly text: string; readonly bytes: string };
const known = new WeakMap<Redacted, readonly Form[]>();

/**
 * Returns the parts of a text's base64 that do not depend on its neighbours, for each of the three places that it can
 * have in a group of three bytes: `Bearer <token>` and `client:secret` are encoded as a whole.
 */
const base64Forms = (text: string): readonly string[] =>
  [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString('base64').slice(start, end), bytes.toString('base64url').slice(start, end)];
  });

/** The forms of a secret in a response: as it is, in JSON, in a URL or a form, and in base64. */
const writtenForms = (secret: Redacted): readonly Form[] => {
  const found = known.get(secret);
  if (found !== undefined) return found;
  const text = secret.reveal();
  const inJson = JSON.stringify(text).slice(1, -1);
  const inForm = new URLSearchParams({ '': text }).toString().slice(1);
  const variants = [
    text,
    inJson,
    inJson.replaceAll('/', '\\/'),
    inForm,
    encodeURIComponent(text),
    ...base64Forms(text),
  ];
  const texts = text.length < minLength ? [] : [...new Set(variants)].toSorted((a, b) => b.length - a.length);
  const forms = texts.map((form) => ({ text: form, bytes: Buffer.from(form).toString('latin1') }));
  known.set(secret, forms);
  return forms;
};

const redactForms = (text: string, forms: readonly Form[]): string => {
  let left = text;
  for (const { text: form } of forms) if (left.includes(form)) left = left.replaceAll(form, mark);
  return left;
};

/** Removes the secrets of the request from a response, because callers get its content. */
export const conceal = (answer: Incoming, secrets: readonly (Redacted | undefined)[]): Incoming => {
  const forms = secrets.flatMap((secret) => (secret === undefined ? [] : writtenForms(secret)));
  const { body, headers } = answer;
  const bytes = body.toString('latin1');
  const inBody = forms.some((form) => bytes.includes(form.bytes));
  const inHeaders = Object.values(headers).some((value) => forms.some(({ text }) => value.includes(text)));
  if (!inBody && !inHeaders) return answer;
  return {
    ...answer,
    body: inBody ? Buffer.from(redactForms(body.toString('utf8'), forms)) : body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactForms(value, forms)])),
  };
};

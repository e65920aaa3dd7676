import type { Incoming } from '../net/request.ts';
import type { Redacted } from '../secrets/redacted.ts';

/** What is shorter stands in too many texts to be looked for. */
const leastLength = 8;
const mark = '[redacted]';
const known = new WeakMap<Redacted, readonly string[]>();

/** A secret as an answer may write it: as it is, in JSON, and in a URL or a form. */
const formsOf = (secret: Redacted): readonly string[] => {
  const found = known.get(secret);
  if (found !== undefined) return found;
  const text = secret.reveal();
  const inJson = JSON.stringify(text).slice(1, -1);
  const inForm = new URLSearchParams({ '': text }).toString().slice(1);
  const all = [text, inJson, inJson.replaceAll('/', '\\/'), inForm, encodeURIComponent(text)];
  const forms = text.length < leastLength ? [] : [...new Set(all)].toSorted((a, b) => b.length - a.length);
  known.set(secret, forms);
  return forms;
};

const without = (text: string, forms: readonly string[]): string => {
  let left = text;
  for (const form of forms) if (left.includes(form)) left = left.replaceAll(form, mark);
  return left;
};

/** An answer without the secrets that its sender was shown, or could know: what it says is handed on to strangers. */
export const conceal = (answer: Incoming, secrets: readonly (Redacted | undefined)[]): Incoming => {
  const forms = secrets.flatMap((secret) => (secret === undefined ? [] : formsOf(secret)));
  const { body, headers } = answer;
  const inBody = forms.some((form) => body.includes(form));
  const inHeaders = Object.values(headers).some((value) => forms.some((form) => value.includes(form)));
  if (!inBody && !inHeaders) return answer;
  return {
    ...answer,
    body: inBody ? Buffer.from(without(body.toString('utf8'), forms)) : body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, without(value, forms)])),
  };
};

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { parseJson } from '../../runtime/json.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { type Given, nothingGiven, parseGiven } from './given-fields.ts';
import { type Field, fieldNamesOf, fieldsOf } from './platform-fields.ts';
import type { PlatformSources } from './plan-entries.ts';
import { entryIn } from './store-entry.ts';

/* Tokens come from standard input: never from an argument, which the shell and the list of processes keep. */

/** Where answers come from, and where questions are printed. */
export type Console = { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };

/** Opens a prompt. An answer is undefined when the person ends the command with Ctrl-C or Ctrl-D. */
const openPrompt = ({ input, output }: Console) => {
  let isHidden = false;
  const shown = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  // Without a history, no key shows an earlier token.
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  const answers = lines[Symbol.asyncIterator]();
  let isClosed = false;
  lines.once('SIGINT', () => lines.close()).once('close', () => (isClosed = true));
  return {
    ask: async (label: string, hidden: boolean): Promise<string | undefined> => {
      if (isClosed) return undefined;
      isHidden = hidden;
      output.write(label);
      // The line is written again while it is edited.
      lines.setPrompt(label);
      const { value, done } = await answers.next();
      if (hidden) output.write('\n');
      return done === true ? undefined : value.trim();
    },
    [Symbol.dispose]: () => lines.close(),
  };
};

type Prompt = ReturnType<typeof openPrompt>;

/** What a prompt fails with after Ctrl-C. */
export const interruption = 'Interrupted. Nothing was written.';

type Asked = { readonly name: string; readonly field: Field; readonly otherwise: string | undefined };

const labelOf = ({ name, field: { about, isHidden }, otherwise }: Asked): string =>
  `${name}: ${about}${isHidden === true ? ', hidden' : ''}${otherwise === undefined ? '' : ` (Enter: ${otherwise})`}: `;

/** Asks again where a needed field stays empty. */
const askUntilGiven = async (prompt: Prompt, asked: Asked): Promise<string | undefined> => {
  const answer = await prompt.ask(labelOf(asked), asked.field.isHidden === true);
  return answer === '' && asked.otherwise === undefined ? askUntilGiven(prompt, asked) : answer;
};

/** Asks for fields. The failure is one sentence. */
const askEach = async (
  prompt: Prompt,
  fields: readonly Asked[],
): Promise<Result<Readonly<Record<string, unknown>>, string>> => {
  const answers: Record<string, unknown> = {};
  for (const asked of fields) {
    const { name, field } = asked;
    const answer = await askUntilGiven(prompt, asked);
    if (answer === undefined) return fail(interruption);
    if (answer !== '') answers[name] = field.type === 'texts' ? [answer] : answer;
  }
  return ok(answers);
};

/** Asks a person for the needed fields of a source. An empty answer keeps what is stored. */
export const askFields = async (
  console: Console,
  platform: PlatformName,
  source: string,
  stored: { readonly fields: ReadonlySet<string>; readonly writesBack: boolean },
): Promise<Result<Given, string>> => {
  using prompt = openPrompt(console);
  const needed = Object.entries(fieldsOf(platform)).filter(([, { isOptional }]) => isOptional !== true);
  const shop = await askEach(
    prompt,
    needed.map(([name, field]) => {
      const fallback = typeof field.fallback?.(source) === 'string' ? String(field.fallback(source)) : 'a new one';
      const hasFallback = field.fallback?.(source) !== undefined;
      return { name, field, otherwise: stored.fields.has(name) ? 'as stored' : hasFallback ? fallback : undefined };
    }),
  );
  if (!shop.ok) return shop;
  if (!stored.writesBack) return ok({ ...nothingGiven, shop: shop.value });
  const tokens = needed.filter(
    ([name, { isHidden }]) => isHidden === true && fieldNamesOf(platform, 'api').includes(name),
  );
  const effects = await askEach(
    prompt,
    tokens.map(([name, field]) => ({
      name: `${name} for write-back`,
      field: { ...field, about: `${field.about} that may write` },
      otherwise: 'as stored, else the same',
    })),
  );
  if (!effects.ok) return effects;
  const named = Object.entries(effects.value).map(([name, value]) => [name.replace(/ for write-back$/, ''), value]);
  return ok({ shop: shop.value, effects: Object.fromEntries(named) });
};

/** Reads the fields of a source as JSON from a pipe. Empty input gives none. The failure has a line for each error. */
const readFields = async (
  input: NodeJS.ReadableStream,
  platform: PlatformName,
  writesBack: boolean,
): Promise<Result<Given, string>> => {
  const content = await text(input);
  if (content.trim() === '') return ok(nothingGiven);
  const value = parseJson(content);
  if (value === undefined) return fail('Standard input is not JSON.');
  const given = parseGiven(platform, value, writesBack);
  return given.ok ? given : fail(given.failure.join('\n'));
};

/** A shop, and what the secrets of its platform have. */
type Fields = {
  readonly platform: PlatformName;
  readonly source: string;
  readonly held: PlatformSources;
  readonly writesBack: boolean;
};

/** Gets the fields of a source from standard input: as answers at a terminal, else as JSON. */
export const giveFields = async ({ platform, source, held, writesBack }: Fields): Promise<Result<Given, string>> => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return readFields(stdin, platform, writesBack);
  const { api, webhooks } = held;
  const stored = [api, webhooks].flatMap((sources) => Object.keys(entryIn(sources, source) ?? {}));
  return askFields({ input: stdin, output: stderr }, platform, source, { fields: new Set(stored), writesBack });
};

import type { ErrorCode } from '../../contract/errors.ts';
import type { Status } from '../../domain/returns/model/status.ts';
import { fieldsOf, wordsOfSchema } from './fields.ts';
import { keyOf, literal, wordsOf } from './names.ts';
import { operationTexts, probeText, readText } from './operation-text.ts';
import { jsonAnswer, type ServiceFacts } from './read-service.ts';
import { conversions } from './return-text.ts';
import type { Place } from './pointer.ts';
import { todo, todoDeclaration } from './todo.ts';

/* The text of adapter.ts. */

/** Words of states by our status, in the order in which they are tried. */
const stateHints: readonly (readonly [Status, RegExp])[] = [
  ['partially_received', /^part|parcial|teil/],
  ['cancelled', /^(cancel|void|storn|annul|withdrawn)/],
  ['rejected', /^(reject|declin|denied|deny|recus|rejeit|rechaz|abgelehnt|refused)/],
  ['expired', /^(expire|vencid|abgelaufen)/],
  ['info_requested', /^info/],
  ['completed', /^(complete|close|done|finish|refunded|resolved|encerr|conclu|finaliz|abgeschlossen)/],
  ['inspected', /^(inspect|graded|inspecion|geprueft)/],
  ['received', /^(receiv|arriv|delivered|receb|recib|erhalten|eingegangen)/],
  ['in_transit', /^(transit|transito|shipped|sent|enviad|unterwegs)/],
  ['approved', /^(approv|accept|author|aprov|aprob|aceit|genehmigt)/],
  ['requested', /^(request|open|pending|created|new|initiated|draft|submitted|abert|solicit|pendente|offen)/],
];

const statusHint = (word: string): readonly string[] => {
  const words = wordsOf(word);
  const found = stateHints.find(([, pattern]) => words.some((part) => pattern.test(part)));
  return found === undefined ? [] : [literal(found[0])];
};

/** The places of a table of states: all words of the service, or one place without them. */
const statesText = ({ state }: ServiceFacts): string =>
  state === undefined || state.words.length === 0
    ? todo('our status for each word of the service: its description lists none')
    : `{\n${state.words.map((word) => `${keyOf(word)}: ${todo(`our status for ${word}`, ...statusHint(word))},`).join('\n')}\n}`;

const failureHints: ReadonlyMap<number, ErrorCode> = new Map([
  [404, 'return_not_found'],
  [409, 'invalid_transition'],
  [422, 'invalid_request'],
]);

const errorField = /^(error|errors|erro|erros|fehler|errorcode|success)$/;
const errorWordField = /^(code|type|errorcode|errortype|codigo|tipo)$/;

/** The most words of errors that become places. */
const maxErrorWords = 20;

const fieldsNamed = (root: unknown, schema: Place, pattern: RegExp): readonly Place[] =>
  [...fieldsOf(root, schema)].filter(([name]) => pattern.test(wordsOf(name).join(''))).map(([, field]) => field.schema);

/** Returns the fields with an error: in an answer of success, and in one whose status is not described. */
const errorsIn = ({ description: { root }, offers }: ServiceFacts): readonly Place[] =>
  offers.flatMap(({ endpoint }) =>
    [jsonAnswer(endpoint), endpoint.otherAnswer].flatMap((content) =>
      content === undefined ? [] : fieldsNamed(root, content.schema, errorField),
    ),
  );

/** Returns the words of errors that the description lists; none if there are too many for a person. */
const errorWords = (facts: ServiceFacts): readonly string[] => {
  const { root } = facts.description;
  const words = errorsIn(facts).flatMap((error) =>
    [error, ...fieldsNamed(root, error, errorWordField)].flatMap((place) => wordsOfSchema(root, place)),
  );
  const distinct = [...new Set(words)];
  return distinct.length > maxErrorWords ? [] : distinct;
};

const failuresText = (facts: ServiceFacts): string => {
  const described = new Set(facts.offers.flatMap(({ endpoint }) => endpoint.statuses));
  const known = [...failureHints].filter(([status]) => described.has(status));
  const words = errorWords(facts).filter((word) => !known.some(([status]) => String(status) === word));
  const places = [
    ...known.map(([status, code]) => `${status}: ${todo(`our code for status ${status}`, literal(code))}`),
    ...words.map((word) => `${keyOf(word)}: ${todo(`our code for the error ${word}`)}`),
  ];
  return `{ ${places.join(', ')} }`;
};

/** The place of `errorIn`, for a service with a field for errors. */
const errorInText = (facts: ServiceFacts): string | undefined =>
  errorsIn(facts).length === 0
    ? undefined
    : `errorIn: ${todo('the word of the error in an answer; failures has our code for it', '({ body }: { readonly body: unknown }) => body')},`;

const importsText = (body: string, typeNames: readonly string[]): string =>
  [
    "import type { Adapter } from '../adapter.ts';",
    ...(body.includes('ForeignAnswer<') ? ["import type { ForeignAnswer } from '../core.ts';"] : []),
    ...(body.includes('pageNumber(') ? ["import { pageNumber } from '../cursor.ts';"] : []),
    ...(body.includes('instantOfSeconds(') ? ["import { instantOfSeconds } from '../fields.ts';"] : []),
    ...(body.includes('path`') ? ["import { path } from '../path.ts';"] : []),
    ...(body.includes('}: Service)') ? ["import type { Service } from '../send.ts';"] : []),
    ...(typeNames.length === 0 ? [] : [`import type { ${typeNames.join(', ')} } from './service.ts';`]),
  ].join('\n');

/** Returns the names of service.ts that a text uses as types: no text, no part of a path, and no member. */
const usedTypes = (body: string, declared: ReadonlySet<string>): readonly string[] => {
  const code = body.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(/path`[^`]*`/g, '');
  const words = new Set(code.match(/(?<![.\w$])[A-Z]\w*(?![\w$]*\s*:)/g));
  return [...declared].filter((name) => words.has(name)).toSorted();
};

/** Returns the declarations of adapter.ts. The types that they use are known afterwards. */
export const adapterBody = (facts: ServiceFacts, name: string): string => {
  const operations = operationTexts(facts);
  const functions = [...conversions(facts), readText(facts)].filter((text) => text !== undefined);
  const hasWords = facts.state !== undefined && facts.state.words.length > 0;
  return [
    ...(hasWords
      ? []
      : [
          '/** The words of the service for the state of a return. Its description lists none. */\ntype State = string;',
        ]),
    `type Offered = ${[...operations.keys()].map(literal).join(' | ')};`,
    ...(functions.some((text) => text.includes('OurReturn'))
      ? ["type OurReturn = ForeignAnswer<'getReturn', State, Offered>;"]
      : []),
    ...functions,
    `export const adapter: Adapter<State, Offered> = {
  name: ${literal(name)},
  title: ${literal(`the service ${name}`)},
  parameters: { ${[...facts.access.parameters].map(([key, value]) => `${key}: ${value}`).join(', ')} },
  states: ${statesText(facts)},
  otherwise: ${todo('our status for a word that the service adds later')},
  failures: ${failuresText(facts)},
  ${errorInText(facts) ?? ''}
  probe: ${probeText(facts)},
  operations: {
${[...operations].map(([key, text]) => `${key}: ${text},`).join('\n')}
  },
};`,
  ].join('\n\n');
};

/**
 * Returns adapter.ts.
 *
 * @param declared the names of the types in service.ts
 */
export const adapterText = (body: string, declared: ReadonlySet<string>): string =>
  `${importsText(body, usedTypes(body, declared))}\n\n${todoDeclaration}\n\n${body}\n`;

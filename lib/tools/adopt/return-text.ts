import { lineCommands } from '../../adapters/core.ts';
import { fieldIn, linesIn, returnsIn, type Subject } from './subject.ts';
import { fieldsOf, type Fields, isNumeric } from './fields.ts';
import { access, literal, wordsOf } from './names.ts';
import { type Answer, type ServiceFacts, subjectText } from './read-service.ts';
import { idParameterOf } from './request-text.ts';
import { todo } from './todo.ts';
import { fieldWords } from './vocabulary.ts';

/* The TypeScript that makes our core from a return of the service. Each field is a place with a guess. */

/** What the guesses of a text know: the description, and the variable with its fields. */
type Base = { readonly root: unknown; readonly variable: string; readonly fields: Fields };

/** Returns a place with the field of the service that may fill it. Without a field, it names the whole value. */
const guessField = (what: string, { variable, fields }: Base, name: string | undefined): string =>
  todo(what, name === undefined || !fields.has(name) ? variable : `${variable}${access(name, false)}`);

/** Returns a place with the field that the best of some patterns names. */
export const guess = (what: string, base: Base, patterns: readonly RegExp[]): string =>
  guessField(what, base, fieldIn(base.fields, patterns));

/** Returns a place for a text, such as an id. A service may have a number for it. */
export const guessText = (what: string, base: Base, patterns: readonly RegExp[], known?: string): string => {
  const { root, variable, fields } = base;
  const name = known ?? fieldIn(fields, patterns);
  const field = name === undefined ? undefined : fields.get(name);
  if (name === undefined || field === undefined || !isNumeric(root, field.schema)) return guessField(what, base, name);
  return todo(what, `${variable}${access(name, false)}${access('toString', field.isOptional)}()`);
};

const stateGuess = ({ state, description: { root } }: ServiceFacts, { fields }: Answer): string => {
  const what = 'the state, a word of the service';
  const field = state && fields.get(state.name);
  if (state === undefined || field === undefined) return todo(what, 'item');
  const value = `item${access(state.name, false)}`;
  return todo(what, isNumeric(root, field.schema) ? `\`\${${value}}\`` : value);
};

const createdGuess = (base: Base): string => {
  const { root, variable, fields } = base;
  const name = fieldIn(fields, fieldWords.created);
  const field = name === undefined ? undefined : fields.get(name);
  if (name === undefined || field === undefined || !isNumeric(root, field.schema))
    return guessField('the time of creation; instantOf of ../fields.ts converts one without a zone', base, name);
  const what = 'the time of creation; instantOfSeconds of ../fields.ts converts seconds since 1970';
  // A field that may be absent needs a decision first.
  return field.isOptional
    ? guessField(what, base, name)
    : todo(what, `instantOfSeconds(${variable}${access(name, false)}, ${literal(`/${name}`)})`);
};

const plain = (name: string): string => wordsOf(name).join('');

/** Returns the field with the name of the parameter by which one return is read. */
const idField = ({ offers }: ServiceFacts, fields: Fields): string | undefined => {
  const offer = offers.find(({ proposal }) => proposal.name === 'getReturn');
  const parameter = offer && idParameterOf(offer.endpoint.route);
  return parameter === undefined ? undefined : [...fields.keys()].find((name) => plain(name) === plain(parameter));
};

/** Returns the members of the core besides the lines. */
const headMembers = (facts: ServiceFacts, answer: Answer): string => {
  const { root } = facts.description;
  const base = { root, variable: 'item', fields: answer.fields };
  return [
    `returnId: ${guessText('the id that people know, as text', base, fieldWords.id, idField(facts, answer.fields))}`,
    `state: ${stateGuess(facts, answer)}`,
    `order: { orderId: ${guessText('the id of the order, as text', base, fieldWords.order)} }`,
    `createdAt: ${createdGuess(base)}`,
  ].join(',\n  ');
};

const lineMembers = (offered: readonly string[], root: unknown, fields: Fields): string => {
  const base = { root, variable: 'line', fields };
  const hasId = offered.some((name) => (lineCommands as readonly string[]).includes(name));
  return [
    ...(hasId ? [`lineId: ${guessText('the id of the line, as text', base, fieldWords.lineId)}`] : []),
    `quantities: { requested: ${guess('the requested units', base, fieldWords.quantity)} }`,
  ].join(', ');
};

const linesText = ({ description, offers }: ServiceFacts, { fields }: Answer): string => {
  const { root } = description;
  const name = linesIn(root, fields, fieldWords.lines);
  const field = name === undefined ? undefined : fields.get(name);
  const found = field && returnsIn(description, field.schema);
  if (name === undefined || field === undefined || found === undefined || found.steps.length > 0)
    return todo('the lines, each with its requested units', 'item');
  const list = `item${access(name, false)}`;
  const offered = offers.map(({ proposal }) => proposal.name);
  const lines = field.isOptional ? `(${list} ?? [])` : list;
  return `${lines}.map((line) => ({ ${lineMembers(offered, root, fieldsOf(root, found.schema))} }))`;
};

const headType = `type Head = Pick<OurReturn, 'returnId' | 'state' | 'order' | 'createdAt'>;`;

/** Whether the list has returns of the same type as the single one. */
const isShared = ({ detail, list }: ServiceFacts): boolean => detail !== undefined && detail.type === list?.type;

/** Returns the functions that convert a return of the service, and an item of its list. */
export const conversions = (facts: ServiceFacts): readonly string[] => {
  const { detail, list } = facts;
  const shared = isShared(facts);
  return [
    ...(list === undefined ? [] : [headType]),
    ...(list === undefined
      ? []
      : [`const summaryOf = (item: ${list.type}): Head => ({\n  ${headMembers(facts, list)},\n});`]),
    ...(detail === undefined
      ? []
      : [
          `const returnOf = (item: ${detail.type}): OurReturn => ({\n  ${
            shared ? '...summaryOf(item)' : headMembers(facts, detail)
          },\n  lines: ${linesText(facts, detail)},\n});`,
        ]),
  ];
};

/** Returns the expression of their return in the body of an answer, with a place where the answer may lack it. */
export const presentText = (subject: Subject): string => {
  const { text, isOptional } = subjectText(subject);
  return isOptional ? `${text} ?? ${todo('what happens when the answer lacks the return')}` : text;
};

import { lineCommands } from '../../adapters/core.ts';
import { fieldIn, linesIn, returnsIn, type Subject } from './subject.ts';
import { fieldsOf, type Fields } from './fields.ts';
import { access } from './names.ts';
import { type Answer, type ServiceFacts, subjectText } from './read-service.ts';
import { todo } from './todo.ts';
import { fieldWords } from './vocabulary.ts';

/* The TypeScript that makes our core from a return of the service. Each field is a place with a guess. */

/** Returns a place with the field of the service that may fill it. Without a field, it names the whole value. */
export const guess = (what: string, base: string, fields: Fields, patterns: readonly RegExp[]): string => {
  const name = fieldIn(fields, patterns);
  return todo(what, name === undefined ? base : `${base}${access(name, false)}`);
};

const stateGuess = ({ state }: ServiceFacts, { fields }: Answer): string =>
  todo(
    'the state, a word of the service',
    state !== undefined && fields.has(state.name) ? `item${access(state.name, false)}` : 'item',
  );

/** Returns the members of the core besides the lines. */
const headMembers = (facts: ServiceFacts, answer: Answer): string => {
  const { fields } = answer;
  return [
    `returnId: ${guess('the id that people know, as text', 'item', fields, fieldWords.id)}`,
    `state: ${stateGuess(facts, answer)}`,
    `order: { orderId: ${guess('the id of the order, as text', 'item', fields, fieldWords.order)} }`,
    `createdAt: ${guess('the time of creation; instantOf of ../fields.ts converts one without a zone', 'item', fields, fieldWords.created)}`,
  ].join(',\n  ');
};

const lineMembers = (offered: readonly string[], fields: Fields): string => {
  const hasId = offered.some((name) => (lineCommands as readonly string[]).includes(name));
  return [
    ...(hasId ? [`lineId: ${guess('the id of the line, as text', 'line', fields, fieldWords.lineId)}`] : []),
    `quantities: { requested: ${guess('the requested units', 'line', fields, fieldWords.quantity)} }`,
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
  return `${lines}.map((line) => ({ ${lineMembers(offered, fieldsOf(root, found.schema))} }))`;
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

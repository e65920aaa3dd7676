import { type Access, accessOf } from './access.ts';
import { type Choice, choose } from './choose.ts';
import { type Content, type Description, type Endpoint, isJsonContent, readEndpoint } from './description.ts';
import { type Fields, fieldsOf, hasNull } from './fields.ts';
import { maxListed } from './limits.ts';
import { access, typeName, wordsOf } from './names.ts';
import { type Place, resolved } from './pointer.ts';
import type { Proposal } from './propose.ts';
import { type ServiceTypes, startServiceTypes } from './service-types.ts';
import { linesIn, returnIn, returnsIn, stateIn, type StateField, type Subject } from './subject.ts';
import { fieldWords, pageWords } from './vocabulary.ts';

/** How a list continues, by the query parameters of its description. */
type Paging = {
  readonly kind: 'page' | 'offset' | 'cursor' | 'none';
  /** The parameter of the page, the offset or the cursor. */
  readonly position: string | undefined;
  readonly size: string | undefined;
};

/** Finds the parameters of pages. */
const pagingOf = ({ parameters }: Endpoint): Paging => {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const named = (kind: keyof typeof pageWords): string | undefined =>
    names.find((name) => pageWords[kind].test(wordsOf(name).join('')));
  const size = named('size');
  for (const kind of ['cursor', 'page', 'offset'] as const) {
    const position = named(kind);
    if (position !== undefined && position !== size) return { kind, position, size };
  }
  return { kind: 'none', position: undefined, size };
};

/** The answer of an endpoint: the type of its body, and the return or the list in it. */
export type Answer = {
  readonly body: string;
  readonly subject: Subject;
  /** The type of the subject, or of an item of the list. */
  readonly type: string;
  readonly fields: Fields;
};

/** A proposal that the adapter has. */
export type Offer = { readonly proposal: Proposal; readonly endpoint: Endpoint };

/** All that the texts of an adapter say about a service. */
export type ServiceFacts = {
  readonly description: Description;
  readonly choice: Choice;
  readonly offers: readonly Offer[];
  readonly types: ServiceTypes;
  readonly detail: Answer | undefined;
  readonly list: Answer | undefined;
  readonly paging: Paging | undefined;
  readonly access: Access;
  /** The words of the state, with the field or the parameter that has them. */
  readonly state: StateField | undefined;
  /** The words of the state of a line. */
  readonly lineState: StateField | undefined;
};

type Reading = Pick<ServiceFacts, 'types' | 'description'>;

/** Returns the type of a body, without null. */
export const bodyType = ({ types, description }: Reading, schema: Place, name: string): string => {
  const type = types.typeOf(schema, name);
  return hasNull(resolved(description.root, schema).value) ? `NonNullable<${type}>` : type;
};

export const jsonAnswer = ({ answer }: Endpoint): Content | undefined =>
  answer !== undefined && isJsonContent(answer) && answer.schema.value !== undefined ? answer : undefined;

const answerOf = (
  reading: Reading,
  offer: Offer | undefined,
  find: (description: Description, body: Place) => Subject | undefined,
  name: string,
): Answer | undefined => {
  const content = offer && jsonAnswer(offer.endpoint);
  const { root } = reading.description;
  const subject = content && find(reading.description, content.schema);
  if (content === undefined || subject === undefined) return undefined;
  return {
    body: bodyType(reading, content.schema, `${name}Answer`),
    subject,
    type: bodyType(reading, subject.schema, subject.steps.length === 0 ? `${name}Answer` : name),
    fields: fieldsOf(root, subject.schema),
  };
};

/** Finds words of the state in the filters of the list, for an answer without them. */
const stateFilter = (root: unknown, list: Offer | undefined): StateField | undefined => {
  const filters: Fields = new Map(
    list?.endpoint.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [name, { schema, isOptional: true }]),
  );
  const found = stateIn(root, filters);
  return found !== undefined && found.words.length > 0 ? found : undefined;
};

const lineStateOf = (description: Description, answer: Answer | undefined): StateField | undefined => {
  if (answer === undefined) return undefined;
  const { root } = description;
  const name = linesIn(root, answer.fields, fieldWords.lines);
  const lines = name === undefined ? undefined : answer.fields.get(name)?.schema;
  const item = lines && returnsIn(description, lines);
  return item && stateIn(root, fieldsOf(root, item.schema));
};

/** Makes the types of requests without a proposal: a person maps them by hand. */
const typeEndpoints = (types: ServiceTypes, endpoints: readonly Endpoint[]): void => {
  for (const { route, request, answer } of endpoints) {
    const name = typeName(`${route.method} ${route.path}`);
    if (request?.schema.value !== undefined) types.typeOf(request.schema, `${name}Body`);
    if (answer?.schema.value !== undefined) types.typeOf(answer.schema, `${name}Answer`);
  }
};

/** Reads what the adapter needs from a description. */
export const readService = (description: Description): ServiceFacts => {
  const { root } = description;
  const choice = choose(description);
  const offers = choice.chosen.map((proposal) => ({ proposal, endpoint: readEndpoint(description, proposal.route) }));
  const types = startServiceTypes(root);
  const others =
    offers.length > 0 ? [] : choice.routes.slice(0, maxListed).map((route) => readEndpoint(description, route));
  typeEndpoints(types, others);
  const reading = { types, description };
  const offer = (name: string): Offer | undefined => offers.find(({ proposal }) => proposal.name === name);
  const detail = answerOf(reading, offer('getReturn'), returnIn, 'GetReturn');
  const list = answerOf(reading, offer('listReturns'), returnsIn, 'ListReturns');
  const listed = offer('listReturns');
  const states = [detail, list].flatMap((answer) => (answer && stateIn(root, answer.fields)) ?? []);
  return {
    description,
    choice,
    offers,
    types,
    detail,
    list,
    paging: listed && pagingOf(listed.endpoint),
    access: accessOf(description, [...offers.map(({ endpoint }) => endpoint), ...others]),
    state: states.find(({ words }) => words.length > 0) ?? stateFilter(root, listed) ?? states[0],
    lineState: lineStateOf(description, detail ?? list),
  };
};

/** Returns the expression of a subject in the variable `body`, and whether it may be absent. */
export const subjectText = ({ steps }: Subject): { readonly text: string; readonly isOptional: boolean } => {
  let text = 'body';
  let isOptional = false;
  let wasOptional = false;
  for (const step of steps) {
    text += access(step.name, wasOptional);
    wasOptional = step.isOptional;
    isOptional ||= step.isOptional;
  }
  return { text, isOptional };
};

/** Returns where an endpoint answers with the return as getReturn does; undefined for another answer. */
export const answersDetail = ({ description, detail }: ServiceFacts, endpoint: Endpoint): Subject | undefined => {
  const content = jsonAnswer(endpoint);
  if (content === undefined || detail === undefined) return undefined;
  const subject = returnIn(description, content.schema);
  return resolved(description.root, subject.schema).at === resolved(description.root, detail.subject.schema).at
    ? subject
    : undefined;
};

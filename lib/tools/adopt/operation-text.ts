import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import type { OfferableName } from '../../adapters/adapter.ts';
import type { Endpoint } from './description.ts';
import { literal, typeName } from './names.ts';
import { answersDetail, bodyType, jsonAnswer, type Offer, type ServiceFacts, subjectText } from './read-service.ts';
import { requestText } from './request-text.ts';
import { guess, guessText, presentText } from './return-text.ts';
import { returnsIn, type Subject } from './subject.ts';
import { fieldsOf } from './fields.ts';
import { todo } from './todo.ts';
import { fieldWords } from './vocabulary.ts';

/* The TypeScript of the operations of an adapter. */

const entryOf = (name: OfferableName): OperationEntry => contract[name];

/** Whether an operation of ours answers with a return. */
const answersReturn = (name: OfferableName): boolean => entryOf(name).answers === entryOf('getReturn').answers;

/** Returns the names of fields that our contract requires in the input. */
const requiredFields = (name: OfferableName): readonly string[] => {
  const { query, body } = entryOf(name);
  return [query, body].flatMap(({ required }) => [...(required ?? [])]);
};

const acceptsText = (name: OfferableName): string => {
  const required = requiredFields(name);
  return required.length === 0
    ? '[]'
    : todo('the fields that the service honours; our contract requires these', ...required.map(literal));
};

/** Returns the expression of a list in the body of an answer, which may lack it. */
const listText = (subject: Subject): string => {
  const { text, isOptional } = subjectText(subject);
  return isOptional ? `(${text} ?? [])` : text;
};

const mapping = (members: readonly string[]): string => `{\n${members.map((member) => `${member},\n`).join('')}}`;

/** The type of the answer of an endpoint: unknown for an answer without JSON. */
const answerType = (facts: ServiceFacts, endpoint: Endpoint, name: string): string => {
  const content = jsonAnswer(endpoint);
  return content === undefined ? 'unknown' : bodyType(facts, content.schema, `${typeName(name)}Answer`);
};

/** Reads one return, for all operations that answer with it. */
export const readText = (facts: ServiceFacts): string | undefined => {
  const { detail, offers } = facts;
  const offer = offers.find(({ proposal }) => proposal.name === 'getReturn');
  if (detail === undefined || offer === undefined) return undefined;
  return `const read = async (returnId: string, { send }: Service): Promise<${detail.type}> => {
  const { body } = await send<${detail.body}>(${requestText(offer.endpoint, { returnId: 'returnId' })});
  return ${presentText(detail.subject)};
};`;
};

const getReturn = ({ detail, offers }: ServiceFacts): string => {
  const offer = offers.find(({ proposal }) => proposal.name === 'getReturn');
  if (detail !== undefined)
    return mapping(['accepts: []', 'run: async ({ returnId }, service) => returnOf(await read(returnId, service))']);
  const what =
    offer === undefined
      ? 'how one return is read: no path of the description looks like it'
      : 'how one return is read: the description gives no JSON for it';
  return mapping(['accepts: []', `run: async (input, service) => ${todo(what, 'input', 'service')}`]);
};

/** The parts of a list by its kind of paging: accepted fields, what is declared, the query, and the next page. */
const pagingText = ({ paging }: ServiceFacts) => {
  const { kind, position, size } = paging ?? { kind: 'none', position: undefined, size: undefined };
  const query = new Map<string, string>();
  const declared: string[] = [];
  let next = todo('what the next page needs; undefined on the last page', 'body');
  if (position !== undefined && kind === 'cursor') query.set(position, 'cursor');
  if (position !== undefined && (kind === 'page' || kind === 'offset')) {
    const first = kind === 'offset' ? '0' : todo('the number of the first page', '0', '1');
    declared.push(`const position = pageNumber(cursor, ${first});`);
    query.set(position, 'position');
    next = todo(
      'what the next page needs; undefined on the last page',
      'body',
      `String(position + ${kind === 'page' ? '1' : size === undefined ? '50' : 'limit'})`,
    );
  }
  if (size !== undefined) query.set(size, 'limit');
  const accepts = [...(size === undefined ? [] : ['limit']), ...(position === undefined ? [] : ['cursor'])];
  const input = [...(size === undefined ? [] : ['limit = 50']), ...(position === undefined ? [] : ['cursor'])];
  return { query, declared, next, accepts, input };
};

const listReturns = (facts: ServiceFacts, { endpoint }: Offer): string => {
  const { list } = facts;
  const { query, declared, next, accepts, input } = pagingText(facts);
  const acceptsList = `accepts: [${accepts.map(literal).join(', ')}]`;
  const parameters = input.length === 0 ? '_input' : `{ ${input.join(', ')} }`;
  const { method } = endpoint.route;
  const body = method === 'GET' || endpoint.request === undefined ? undefined : todo('the body with filters and page');
  const request = requestText(endpoint, { query, ...(body !== undefined && { body }) });
  const type = list?.body ?? answerType(facts, endpoint, 'listReturns');
  const items =
    list === undefined
      ? todo('the returns of the page: the description names no list', 'body')
      : `${listText(list.subject)}.map(summaryOf)`;
  return mapping([
    acceptsList,
    `run: async (${parameters}, { send }) => {
      ${declared.join('\n')}
      const { body } = await send<${type}>(${request});
      return { items: ${items}, next: ${next} };
    }`,
  ]);
};

const listReasons = (facts: ServiceFacts, { endpoint }: Offer): string => {
  const { root } = facts.description;
  const content = jsonAnswer(endpoint);
  const subject = content && returnsIn(facts.description, content.schema);
  const type = answerType(facts, endpoint, 'listReasons');
  const send = `const { body } = await send<${type}>(${requestText(endpoint, {})});`;
  const base = subject && { root, variable: 'reason', fields: fieldsOf(root, subject.schema) };
  const items =
    subject === undefined || base === undefined
      ? todo('the reasons: the description names no list', 'body')
      : `${listText(subject)}.map((reason) => ({
          code: ${guessText('the code of the reason, as text', base, fieldWords.code)},
          labels: { en: ${guess('its text, by language', base, fieldWords.label)} },
        }))`;
  return mapping(['accepts: []', `run: async (_input, { send }) => {\n${send}\nreturn { items: ${items} };\n}`]);
};

/** Returns what a command answers: the return in its answer, or the one that a read finds. */
const outcome = (
  facts: ServiceFacts,
  { proposal, endpoint }: Offer,
): { readonly type: string; readonly result: string } => {
  const { name } = proposal;
  const isLater =
    endpoint.statuses.includes(202) && !endpoint.statuses.some((status) => status === 200 || status === 201);
  if (isLater)
    return {
      type: answerType(facts, endpoint, name),
      result: todo('the service answers 202: service.follow reads until the command is done', 'body'),
    };
  if (!answersReturn(name))
    return { type: answerType(facts, endpoint, name), result: todo('the answer of our contract', 'body') };
  const subject = answersDetail(facts, endpoint);
  if (subject !== undefined)
    return { type: answerType(facts, endpoint, name), result: `returnOf(${presentText(subject)})` };
  if (name === 'createReturn' || facts.detail === undefined)
    return { type: answerType(facts, endpoint, name), result: todo('the return after the command', 'body') };
  return { type: 'unknown', result: 'returnOf(await read(returnId, service))' };
};

/** The header by which the service knows a repeat. */
const keyHeader = ({ parameters }: Endpoint): string | undefined =>
  parameters.find((parameter) => parameter.in === 'header' && parameter.isKey)?.name;

const repeatText = (endpoint: Endpoint): string => {
  const header = keyHeader(endpoint);
  return todo(
    'what a repeat does: header, natural key, read first or never (Repeat in ../adapter.ts)',
    ...(header === undefined ? [] : [`{ rule: 'header', header: ${literal(header)} }`]),
  );
};

/** Returns the declaration of the body of a request; undefined without a body. */
const bodyText = (facts: ServiceFacts, { proposal, endpoint }: Offer, given: readonly string[]): string | undefined => {
  const { request } = endpoint;
  if (request === undefined) return undefined;
  const type = facts.types.typeOf(request.schema, `${typeName(proposal.name)}Body`);
  const action = proposal.action === undefined ? [] : [literal(proposal.action)];
  return `const request: ${type} = ${todo('the body of the request', ...given, ...action)};`;
};

const inputText = (usesId: boolean, hasBody: boolean): string => {
  if (usesId) return hasBody ? '{ returnId, ...input }' : '{ returnId }';
  return hasBody ? 'input' : '_input';
};

/** Whether a request uses the variable `returnId`. Texts may have the same word. */
const sendsId = (request: string): boolean => {
  const code = request.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return code.includes('${returnId}') || /[:,] returnId[ ,)]/.test(code);
};

const command = (facts: ServiceFacts, offer: Offer): string => {
  const { proposal, endpoint } = offer;
  const { name } = proposal;
  const namesReturn = entryOf(name).path.includes('{returnId}');
  const hasBody = endpoint.request !== undefined;
  const { type, result } = outcome(facts, offer);
  const request = requestText(endpoint, {
    ...(namesReturn && { returnId: 'returnId' }),
    ...(hasBody && { body: 'request' }),
  });
  const isSent = namesReturn && sendsId(request);
  const body = bodyText(facts, offer, [...(namesReturn && !isSent ? ['returnId'] : []), 'input']);
  const usesId = isSent || (namesReturn && (hasBody || result.includes('read(returnId')));
  const usesBody = /\bbody\b/.test(result);
  return mapping([
    `accepts: ${acceptsText(name)}`,
    ...(entryOf(name).idempotencyKey ? [`repeat: ${repeatText(endpoint)}`] : []),
    `run: async (${inputText(usesId, hasBody)}, service) => {
      ${body ?? ''}
      ${usesBody ? 'const { body } = ' : ''}await service.send<${type}>(${request});
      return ${result};
    }`,
  ]);
};

/** The operations whose mapping is not the one of a command. */
const reads: ReadonlyMap<OfferableName, (facts: ServiceFacts, offer: Offer) => string> = new Map([
  ['getReturn', getReturn],
  ['listReturns', listReturns],
  ['listReasons', listReasons],
]);

/** Returns the mappings by the names of our operations. Each adapter has `getReturn`. */
export const operationTexts = (facts: ServiceFacts): ReadonlyMap<string, string> =>
  new Map([
    ['getReturn', getReturn(facts)],
    ...facts.offers.map(
      (offer) => [offer.proposal.name, (reads.get(offer.proposal.name) ?? command)(facts, offer)] as const,
    ),
  ]);

/** Returns the probe: the smallest list. */
export const probeText = ({ offers, paging }: ServiceFacts): string => {
  const offer = offers.find(({ proposal }) => proposal.name === 'listReturns' || proposal.name === 'listReasons');
  if (offer === undefined || offer.endpoint.route.method !== 'GET')
    return `(service) => ${todo('a small read that needs a token', 'service')}`;
  const query = new Map(
    paging?.size === undefined || offer.proposal.name !== 'listReturns' ? [] : [[paging.size, '1'] as const],
  );
  return `({ send }) => send(${requestText(offer.endpoint, { query })})`;
};

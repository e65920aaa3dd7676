import { contract } from '../../contract/contract.ts';
import { isCommandOnReturn } from '../../contract/operation.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { isJsonContent, listedRoutes, routeText } from './description.ts';
import { maxListed } from './limits.ts';
import { shown } from './names.ts';
import type { Proposal } from './propose.ts';
import type { ServiceFacts } from './read-service.ts';

/* The README of a new adapter: what the description gave, and what is left. */

/** The longest list of a README. */
const maxRows = 60;

const clipped = (rows: readonly string[]): readonly string[] =>
  rows.length <= maxRows ? rows : [...rows.slice(0, maxRows), `… and ${rows.length - maxRows} more`];

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const shownRows = rows.slice(0, maxRows).map(line);
  const rest =
    rows.length > maxRows ? [line([`… and ${rows.length - maxRows} more`, ...head.slice(1).map(() => '')])] : [];
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...shownRows, ...rest].join('\n');
};

/** Breaks text into lines of at most 115 characters. A code span is not broken. */
const wrap = (text: string, indent = ''): string => {
  const lines: string[] = [];
  let current = '';
  for (const word of text.match(/(?:`[^`]*`|[^ `])+/g) ?? []) {
    if (current !== '' && current.length + word.length >= 115) {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
};

const bullets = (items: readonly string[]): string =>
  clipped(items)
    .map((item) => wrap(`- ${item}`, '  '))
    .join('\n');

const section = (title: string, text: string): string => (text === '' ? '' : `## ${title}\n\n${text}\n`);

const rowOf = ({ name, route, confidence, note = '', action }: Proposal): readonly string[] => [
  `\`${name}\``,
  routeText(route),
  confidence,
  action === undefined ? note : `${note}: ${shown(action)}`,
];

const head = ['operation', 'request of the service', 'confidence', 'note'];

/** What an adapter needs, and the description does not give. */
const gapsOf = (facts: ServiceFacts, gapsOfTypes: readonly string[]): readonly string[] => {
  const { offers, detail, list, paging, state, choice, access } = facts;
  const has = (name: string): boolean => offers.some(({ proposal }) => proposal.name === name);
  return [
    ...(has('getReturn') ? [] : ['no request reads one return']),
    ...(has('listReturns') ? [] : ['no request lists returns']),
    ...(has('getReturn') && detail === undefined
      ? ['the request for one return has no JSON answer with a schema']
      : []),
    ...(has('listReturns') && list === undefined ? ['the request for the list has no JSON answer with a list'] : []),
    ...(state === undefined ? ['no field has the state of a return'] : []),
    ...(state !== undefined && state.words.length === 0
      ? [`the field ${shown(state.name)} has no list of its words`]
      : []),
    ...(has('listReturns') && paging?.kind === 'none' ? ['the list has no query parameter for pages'] : []),
    ...choice.dispatching.map(({ route, otherWords }) =>
      otherWords.length === 0
        ? `${routeText(route)} is one call for several commands`
        : `${routeText(route)} is one call for several commands. No operation of ours has the words ${clipped(otherWords.slice(0, 30).map(shown)).join(', ')}`,
    ),
    ...offers.flatMap(({ endpoint }) =>
      endpoint.answer === undefined || isJsonContent(endpoint.answer)
        ? []
        : [`${routeText(endpoint.route)} answers ${shown(endpoint.answer.mediaType)}, and the sender reads JSON`],
    ),
    ...gapsOfTypes,
    ...access.notes,
  ];
};

/** Our commands and reads of returns that the adapter does not have. */
const notOffered = ({ offers }: ServiceFacts): string => {
  const offered = new Set<string>([...offers.map(({ proposal }) => proposal.name), 'getReturn']);
  const names = Object.entries(contract as unknown as Readonly<Record<string, OperationEntry>>)
    .filter(([name, entry]) => !offered.has(name) && (isCommandOnReturn(entry) || entry.path.startsWith('/returns')))
    .map(([name]) => `\`${name}\``);
  return wrap(
    `Of the operations on returns: ${names.join(', ')}. All operations on policies, orders, withdrawals and jobs.`,
  );
};

const foundText = ({ description, access, state, lineState, paging }: ServiceFacts): string =>
  bullets([
    `a description of ${description.version}`,
    ...(state !== undefined && state.words.length > 0
      ? [`the state of a return in ${shown(state.name)}, with ${state.words.length} words`]
      : []),
    ...(lineState === undefined
      ? []
      : [`a state of each line in ${shown(lineState.name)}, with ${lineState.words.length || 'no listed'} words`]),
    ...(access.scheme === undefined ? [] : [`the security scheme ${access.scheme}`]),
    ...(access.headers.length === 0 ? [] : [`headers that requests need: ${access.headers.map(shown).join(', ')}`]),
    ...(paging?.position === undefined ? [] : [`pages by ${shown(paging.position)} (${paging.kind})`]),
    ...(paging?.size === undefined ? [] : [`the size of a page in ${shown(paging.size)}`]),
  ]);

/** What the README says about the other files. */
type Written = {
  readonly name: string;
  /** What the types could not say. */
  readonly gaps: readonly string[];
  /** Whether there is a service.ts. */
  readonly hasTypes: boolean;
};

/** What a person does without a proposal. */
const nothingText = (hasTypes: boolean): string =>
  wrap(
    [
      'Nothing: no path has returns as its resource. Name the resource: remove this folder, and run `npm run adopt` with `--resource` and a word of its path.',
      ...(hasTypes ? [`\`service.ts\` has the types of the first ${maxListed} requests.`] : []),
    ].join(' '),
  );

/** Returns README.md. */
export const readmeText = (facts: ServiceFacts, { name, gaps, hasTypes }: Written): string => {
  const { choice } = facts;
  return [
    `# Adapter ${name}\n`,
    `\`npm run adopt\` wrote this folder from a description. It proposes, and decides nothing. Each \`todo\` in\n\`adapter.ts\` does not compile: fill it in, and remove the declaration of \`todo\`.\n`,
    section('Proposed', choice.chosen.length === 0 ? nothingText(hasTypes) : table(head, choice.chosen.map(rowOf))),
    section(
      'Requests of the description',
      choice.chosen.length === 0 ? bullets(listedRoutes(choice.routes, routeText)) : '',
    ),
    section('Found', foundText(facts)),
    section('Not found, or not possible', bullets(gapsOf(facts, gaps))),
    section(
      'Also possible, and not written',
      choice.further.length === 0 ? '' : table(head, choice.further.map(rowOf)),
    ),
    section('Requests about returns without a proposal', bullets(choice.unmapped.map(routeText))),
    section('Not offered', notOffered(facts)),
  ]
    .filter((text) => text !== '')
    .join('\n');
};

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { replacedSentences } from '../../../lib/contract/neutral-text.ts';
import { codesIn, openApi } from '../../../lib/contract/openapi.ts';
import { referencePages } from '../../../lib/tools/build/reference/pages.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import type { Offer } from '../../../lib/tools/template/offer.ts';
import { unfitExamples } from '../../support/generated/unfit-examples.ts';

const tokenUrl = 'https://id.example.com/connect/token';

const adapters = globSync('lib/adapters/*/adapter.ts').map((file) => basename(dirname(file)));

const offerOf = async (name: string): Promise<Offer> => {
  const read = await readAdapter(name);
  if (!read.ok) throw new Error(read.failure);
  return read.value.offer;
};

type Response = { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
type Described = {
  readonly operationId: string;
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response & { readonly description?: string }>>;
};

const documentOf = (offer: Offer) =>
  openApi(tokenUrl, offer) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };

const operationsOf = (offer: Offer): readonly Described[] =>
  Object.values(documentOf(offer).paths).flatMap((methods) => Object.values(methods));

/** Returns all texts of a value that stand at a key for readers. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'string' && (key === 'description' || key === 'summary') ? [inner] : textsIn(inner),
  );
};

/** Returns what a reader sees: the texts of the document and those of the reference. */
const readTexts = (offer: Offer): readonly string[] => [
  ...textsIn(documentOf(offer)),
  ...referencePages(offer).flatMap(({ title, summary, blocks }) => [
    title,
    summary,
    ...blocks.map((block) => JSON.stringify(block)),
  ]),
];

/** What only our standalone mode has. */
const ownWords =
  /registered|eligibilityToken|dryRun|If-Match|asOf|Returns-On-Behalf-Of|override|erased|retention|reminder|webhook|draft|golden case|\bpolic(y|ies)\b|ret_01|rln_01/i;

/** Resolutions of a line that have the name of an operation. */
const resolutions: ReadonlySet<string> = new Set(['refund', 'exchange']);

describe.each(adapters)('documents of the adapter %s', (name) => {
  it('show a valid body for each operation with an input and each with a response', async () => {
    expect(unfitExamples(JSON.stringify(documentOf(await offerOf(name))))).toEqual([]);
  });

  it('describe the health check as a read of the service', async () => {
    const { description } = (await offerOf(name)).entries['health'] ?? {};
    expect(description).toBe(
      'The operation reads something small from the Returns Service, with a token. It fails as that read does.',
    );
  });

  it('show no field of a return that the service may lack', async () => {
    const shown = operationsOf(await offerOf(name)).find(({ operationId }) => operationId === 'getReturn');
    const example = shown?.responses['200']?.content?.['application/json']?.example ?? {};
    expect(Object.keys(example).toSorted()).toEqual(['createdAt', 'lines', 'order', 'returnId', 'status']);
  });

  it('say nothing of our standalone mode', async () => {
    expect((await offerOf(name).then(readTexts)).filter((text) => ownWords.test(text))).toEqual([]);
  });

  it('name no operation that the service does not have', async () => {
    const offer = await offerOf(name);
    const text = readTexts(offer).join('\n');
    const named = Object.keys(contract).filter((operation) => text.includes(`\`${operation}\``));
    expect(
      named.filter((operation) => !Object.hasOwn(offer.entries, operation) && !resolutions.has(operation)),
    ).toEqual([]);
  });

  it('name each code once for a status', async () => {
    for (const { responses } of operationsOf(await offerOf(name)))
      for (const { description = '' } of Object.values(responses)) {
        const codes = Array.from(description.matchAll(/^- `(\w+)`/gm), ([, code]) => code);
        expect(codes).toEqual([...new Set(codes)]);
      }
  });

  it('name each code that its mappings give, and none of users in a browser', async () => {
    const given = globSync(`lib/adapters/${name}/*.ts`).flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/failureOf\('(\w+)'\)/g), ([, code]) => code),
    );
    const codes = codesIn(await offerOf(name));
    expect(codes).toEqual(expect.arrayContaining(given));
    expect(codes).toContain('operation_not_offered');
    expect(codes).not.toContain('cross_site_request');
  });

  it('have a page for each of their codes, and for no other', async () => {
    const offer = await offerOf(name);
    const pages = referencePages(offer).filter(({ group }) => group === 'errors');
    expect(pages.map(({ id }) => id)).toEqual(codesIn(offer));
  });
});

describe('neutral text', () => {
  it.each(replacedSentences)('replaces a sentence of the contract: %s', (sentence) => {
    expect(textsIn(JSON.parse(JSON.stringify(openApi(tokenUrl))) as unknown).join('\n')).toContain(sentence);
  });
});

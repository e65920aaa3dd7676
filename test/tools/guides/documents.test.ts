import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { errorTexts } from '../../../lib/contract/error-texts.ts';
import { errors } from '../../../lib/contract/errors.ts';
import { eventTypes } from '../../../lib/contract/events/event-types.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { scheduleRows } from '../../../lib/tools/template/functions/schedules.ts';
import { apiTexts, fieldsWithoutText } from '../../../lib/tools/guides/api-texts.ts';
import { bannedIn, proseOf, readingOf } from '../../../lib/tools/guides/prose.ts';
import { importsByFolder } from '../../../lib/tools/build/readme.ts';
import { referencePages } from '../../../lib/tools/build/reference/pages.ts';
import { offers } from '../../../lib/tools/template/offer.ts';
import { translators } from '../../../lib/shops/platforms/translators.ts';
import { platformNames } from '../../../lib/runtime/platform-names.ts';
import { type Document, documents, roomDocuments } from './documents.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const all = documents.map(({ text }) => text).join('\n');

const wings = readdirSync('lib').map((wing) => `lib/${wing}`);

const maxLines = (file: string): number => {
  if (file === 'README.md') return 150;
  if (file === 'CONTRIBUTING.md') return 60;
  if (wings.some((wing) => file === `${wing}/README.md`)) return 40;
  // The page of a foreign service or a platform: what it offers, its words and its gaps.
  if (/^lib\/(adapters|shops\/platforms)\/[^/]+\/README\.md$/.test(file)) return 120;
  return file.endsWith('/README.md') ? 80 : 250;
};

const templates = await Promise.all(modes.map((mode) => packagedTemplate(mode)));

/** Returns the anchor that Markdown renderers give a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): readonly string[] =>
  Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));

/** Returns the dead links of a page to files of the project. */
const deadLinks = ({ file, text }: Document): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
    .filter((target) => !/^(https?:|mailto:)/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const found = path === '' ? file : normalize(join(dirname(file), path));
      return !existsSync(found) || (anchor !== undefined && !anchorsOf(found).includes(anchor));
    });

/** Returns the paths in the code spans of a README that exist neither below its folder nor in the project. */
const missingPaths = ({ file, text }: Document): readonly string[] =>
  Array.from(text.matchAll(/`([\w.-]+(?:\/[\w.*-]+)*(?:\/|\.tsx?|\.md|\.json))`/g), ([, path = '']) => path).filter(
    (path) => globSync([path, join(dirname(file), '**', path)]).length === 0,
  );

describe('README, guides and READMEs of rooms', () => {
  it.each([...documents, ...roomDocuments].map((document) => [document.file, document] as const))(
    'keep within their limits: %s',
    (file, document) => {
      const lines = document.text.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(maxLines(file));
      const long = document.text
        .replaceAll(/^```.*?^```$/gms, '')
        .split('\n')
        .filter((line) => line.length > 120 && !line.startsWith('|'));
      expect(long).toEqual([]);
      expect(bannedIn(proseOf(document.text))).toEqual([]);
      const { median, p90 } = readingOf([proseOf(document.text)]);
      expect(median).toBeLessThanOrEqual(16);
      expect(p90).toBeLessThanOrEqual(28);
      expect(deadLinks(document)).toEqual([]);
    },
  );

  it('have no line over 300 characters, tables included', () => {
    const files = globSync(['*.md', '{lib,test}/**/*.md']);
    expect(files.length).toBeGreaterThan(60);
    const long = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 300 ? [`${file}:${index + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  it('never show a plain npx returns, which may fetch a package of a stranger', () => {
    expect(all).toContain('npx --no-install returns');
    expect(all).not.toMatch(/npx (?!--no-install )\S*returns/);
  });

  it('name test files that exist', () => {
    const files = globSync('test/**/*.test.ts');
    const commands = [...documents, ...roomDocuments].flatMap(({ text }) =>
      Array.from(text.matchAll(/npm test -- (?:--no-check )?([^`\n]*)/g), ([, operands = '']) => operands),
    );
    const paths = commands.flatMap((operands) => operands.split(' ').filter((word) => word.startsWith('test/')));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !files.some((file) => file.includes(path)))).toEqual([]);
  });

  it('name every platform, parameter, alarm and metric', () => {
    const parameters = templates.flatMap(({ Parameters = {} }) => Object.keys(Parameters));
    const alarms = templates.flatMap(({ Resources }) =>
      Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm'),
    );
    const metrics = alarms
      .map(([, { Properties = {} }]) => Properties as { Namespace?: unknown; MetricName?: unknown })
      .filter(({ Namespace }) => Namespace === 'Returns')
      .map(({ MetricName }) => String(MetricName));
    // rollout.md names those that roll a deployment back by their pattern.
    const own = alarms.map(([name]) => name).filter((name) => !name.endsWith('RolloutAlarm'));
    expect(all).toContain('`returns-<stage>-rollout-<function>`');
    const names = new Set([...platformNames, ...parameters, ...own, ...metrics]);
    expect([...names].filter((name) => !all.includes(name))).toEqual([]);
  });
});

describe('wings of lib', () => {
  const readmeOf = (wing: string): Document =>
    roomDocuments.find(({ file }) => file === `${wing}/README.md`) ?? { file: wing, text: '' };

  it.each(wings)('have a README that names the file to read first, and only files that exist: %s', (wing) => {
    const readme = readmeOf(wing);
    expect(readme.text).toMatch(/^Read first: /m);
    expect(missingPaths(readme)).toEqual([]);
  });

  it.each(wings.filter((wing) => wing !== 'lib/tools'))('name the wings that they may import: %s', (wing) => {
    const [imports = ''] = /^Imports.*?(?=^Read first)/ms.exec(readmeOf(wing).text) ?? [];
    const named = new Set(Array.from(imports.matchAll(/`(lib\/\w+)/g), ([, name = '']) => name));
    const allowed = importsByFolder().get(wing) ?? new Set(['no row in the layer table']);
    expect([...named].toSorted()).toEqual([...allowed].toSorted());
  });
});

describe('schedules', () => {
  it('have a row in both tables of their page', () => {
    const page = documents.find(({ file }) => file.endsWith('/schedules.md'))?.text ?? '';
    const named = Array.from(page.matchAll(/^\| ([a-z]\w+)(?: \([^|]*\))? \| /gm), ([, name = '']) => name);
    const names = Object.keys(scheduleRows).toSorted();
    expect(named.filter((name) => name !== 'schedule').toSorted()).toEqual([...names, ...names].toSorted());
  });
});

describe('parked deliveries', () => {
  it('have a row for each reason of a permanent failure', () => {
    const sources = globSync('lib/shops/{platforms,inbox}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const reasons = new Set(
      sources.flatMap((source) =>
        Array.from(
          source.matchAll(/(?:(?:permanentFailure|parked)\(|kind: 'permanent', reason: )'(\w+)'/g),
          ([, reason = '']) => reason,
        ),
      ),
    );
    const guide = documents.find(({ file }) => file.endsWith('/parked-deliveries.md'))?.text ?? '';
    const named = Array.from(guide.matchAll(/`([a-z_]+)(…(\w*))?`/g), ([, start = '', open, end = '']) =>
      open === undefined ? new RegExp(`^${start}$`) : new RegExp(`^${start}\\w+${end}$`),
    );
    expect(reasons.size).toBeGreaterThan(20);
    expect([...reasons].filter((reason) => !named.some((pattern) => pattern.test(reason)))).toEqual([]);
  });
});

describe('missing subscriptions', () => {
  it('have a row for each reason of ours', () => {
    const sources = globSync('lib/shops/platforms/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const reasons = sources.flatMap((source) =>
      Array.from(source.matchAll(/subscriptionFailure\('(\w+)'/g), ([, reason = '']) => reason),
    );
    const guide = documents.find(({ file }) => file.endsWith('/shop-subscriptions.md'))?.text ?? '';
    expect(reasons.length).toBeGreaterThan(3);
    expect(reasons.filter((reason) => !guide.includes(`\`${reason}\``))).toEqual([]);
  });
});

describe('rooms with their own rules', () => {
  const textOf = (folder: string) => roomDocuments.find(({ file }) => file === `${folder}/README.md`)?.text ?? '';

  it.each([
    'lib/tools/deploy',
    'lib/tools/template',
    'lib/tools/verify',
    'lib/access/oauth',
    'lib/shops/platforms',
    'lib/domain/returns/money',
    'lib/store/engine',
    'lib/console/screens',
    'test',
    'test/long',
    'test/bench',
  ])('have a README: %s', (folder) => {
    expect(textOf(folder)).not.toBe('');
  });

  it.each(Object.entries(translators))('name every topic of a platform: %s', (name, translator) => {
    const topics = Object.keys(translator.topics()).map((topic) =>
      topic.replace(/^com\.adobe\.commerce\.observer\./, ''),
    );
    const readme = textOf(`lib/shops/platforms/${name}`);
    expect(topics.filter((topic) => !readme.includes(`\`${topic}\``))).toEqual([]);
  });
});

describe('reference', () => {
  const pages = referencePages(offers.standalone);

  it('has a page for every operation, event type and error code', () => {
    const ids = (group: string) => pages.filter((page) => page.group === group).map(({ id }) => id);
    expect(ids('operations').toSorted()).toEqual(Object.keys(contract).toSorted());
    expect(ids('events')).toEqual(expect.arrayContaining([...eventTypes]));
    expect(ids('errors').toSorted()).toEqual(Object.keys(errors).toSorted());
  });

  it('links only to pages that exist', () => {
    const known = new Set(pages.map(({ group, id }) => `${group}/${id}`));
    const links = Array.from(JSON.stringify(pages).matchAll(/\(page:([^)]+)\)/g), ([, target = '']) => target);
    expect(links.length).toBeGreaterThan(1_000);
    expect(links.filter((target) => !known.has(target))).toEqual([]);
  });
});

describe('OpenAPI and AsyncAPI documents', () => {
  it('describe every field', () => {
    expect(fieldsWithoutText()).toEqual([]);
  });

  it('use short sentences and no banned word', () => {
    const texts = apiTexts();
    expect(texts.filter(({ text }) => bannedIn(text).length > 0)).toEqual([]);
    expect(texts.filter(({ text }) => readingOf([text]).longest > 28)).toEqual([]);
    const { median, p90 } = readingOf(texts.map(({ text }) => text));
    expect(median).toBeLessThanOrEqual(16);
    expect(p90).toBeLessThanOrEqual(28);
  });

  it('name only operations that exist in the texts of errors', () => {
    const texts = Object.values(errorTexts).flatMap(({ check, fix }) =>
      Array.from(`${check} ${fix}`.matchAll(/`((?:get|list|add|create)[A-Z]\w+)`/g), ([, name = '']) => name),
    );
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((name) => !Object.hasOwn(contract, name))).toEqual([]);
  });
});

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

const folder = 'lib/console/texts';

/** The catalogues that the first page shows. Those of screens are a file of their own. */
const ofShell: ReadonlySet<string> = new Set(['app.json', 'common.json']);

const languages = ['pt', 'pt-BR'] as const;

type Texts = { readonly [name: string]: Texts | string };

/** Lists texts in the order of the English ones, which have the names. An absent text is 0. */
const listed = (names: Texts | string | undefined, texts: Texts | string): unknown => {
  if (typeof names !== 'object' || typeof texts !== 'object') return texts;
  if (!Object.keys(texts).every((name) => name in names)) return texts;
  const order = Object.keys(names);
  const last = order.findLastIndex((name) => name in texts);
  return order.slice(0, last + 1).map((name) => listed(names[name], texts[name] ?? '') || 0);
};

const readTexts = async (language: string, name: string): Promise<Texts> =>
  JSON.parse(await readFile(`${folder}/${language}/${name}`, 'utf8')) as Texts;

const listedTexts = async (language: string, name: string): Promise<unknown> =>
  listed(await readTexts('en', name), await readTexts(language, name));

/** The catalogues of screens, each once for each variant of Portuguese. */
const ofScreens = (): readonly string[] =>
  globSync(`${folder}/en/*.json`)
    .map((path) => basename(path))
    .filter((name) => !ofShell.has(name))
    .toSorted()
    .flatMap((name) => languages.map((language) => `${language}/${name}`));

/** Returns the Portuguese texts of all screens, without their names. */
export const portugueseTexts = async (): Promise<readonly unknown[]> =>
  Promise.all(
    ofScreens().map(async (path) => {
      const [language = '', name = ''] = path.split('/');
      return listedTexts(language, name);
    }),
  );

/**
 * Puts the place in `portugueseTexts` for a catalogue of a screen: most people never need these texts, and one file
 * takes 6 kB less of gzip than a part in each screen. Names are left out of the other catalogues, too.
 */
export const shortTexts: Plugin = {
  name: 'short texts',
  setup: (build) => {
    build.onLoad({ filter: /\/console\/texts\/pt(-BR)?\/[^/]+\.json$/ }, async ({ path }) => {
      const [language = '', name = ''] = path.split('/').slice(-2);
      const place = ofScreens().indexOf(`${language}/${name}`);
      return {
        contents: JSON.stringify(place === -1 ? await listedTexts(language, name) : place),
        loader: 'json',
      };
    });
  },
};

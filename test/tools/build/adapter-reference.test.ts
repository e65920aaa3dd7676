import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeReference } from '../../../lib/tools/build/reference/write-reference.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

const offered = async () => {
  const read = await readAdapter('devolucoes');
  if (!read.ok) throw new Error(read.failure);
  return read.value.offer;
};

/** Writes the reference of a deployment, and returns its files. */
const reference = async (offer: Parameters<typeof writeReference>[1]) => {
  const folder = await mkdtemp(join(tmpdir(), 'reference-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeReference(folder, offer);
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  return {
    operations: (await readdir(join(folder, 'operations'))).map((file) => file.replace('.md', '')).toSorted(),
    folders: await readdir(folder),
    links: globSync(join(folder, '**/*.md')).flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/\]\(([^):]+)\)/g), ([, to = '']) => join(dirname(file), to)),
    ),
    index: await read('llms.txt'),
    html: await read('index.html'),
    collection: await read('collection.json'),
  };
};

describe('reference of a deployment with an adapter', () => {
  it('has the offered operations, also in the index and the collection for programs', async () => {
    const offer = await offered();
    const { operations, index, collection } = await reference(offer);
    expect(operations).toEqual(Object.keys(offer.entries).toSorted());
    const requests = JSON.parse(collection) as { readonly item: readonly { readonly item: readonly object[] }[] };
    expect(requests.item.flatMap(({ item }) => item)).toHaveLength(operations.length);
    expect(index).toContain('the example service Devoluções');
    expect(`${index}${collection}`).not.toMatch(/policies|webhook-endpoints|\/refunds/);
  });

  it('has links that lead to its files', async () => {
    const { links } = await reference(await offered());
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('has no events, which the deployment does not publish', async () => {
    const { folders, index, html } = await reference(await offered());
    expect(folders).not.toContain('events');
    expect(`${index}${html}`).not.toMatch(/>Events |## Events/);
  });

  it('has events for the whole contract', async () => {
    const { folders, index, html } = await reference(offers.standalone);
    expect(folders).toContain('events');
    expect(index).toContain('## Events');
    expect(html).toContain('>Events ');
  });
});

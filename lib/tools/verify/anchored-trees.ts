import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTree, hashOfLeaf, type Leaf, type Root, rootOf } from '../../domain/returns/history/merkle.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import type { ExportFailure, TrustAnchors } from './check-history.ts';

/*
 * Reads the trees of a folder, as they lie beside the roots. The name of each object has the root over its items, so
 * each leaf is proven by the published root.
 */

/** A leaf, and the time of the first root that holds it. */
type AnchoredLeaf = Leaf & { readonly at: string };

type Part = { readonly root: string };

const isLeaf = (value: unknown): value is Leaf =>
  isObject(value) &&
  typeof value['returnId'] === 'string' &&
  Number.isSafeInteger(value['version']) &&
  typeof value['head'] === 'string';

const isPart = (value: unknown): value is Part => isObject(value) && typeof value['root'] === 'string';

/** Returns the items of an object of a tree; undefined when it is missing or does not lead to its root. */
const readObject = async <Item>(
  file: string,
  root: string,
  isItem: (value: unknown) => value is Item,
  hashOf: (item: Item) => string,
): Promise<readonly Item[] | undefined> => {
  const items = parseJson(await readFile(file, 'utf8').catch(() => ''));
  if (!Array.isArray(items) || !items.every(isItem)) return undefined;
  return rootOf(buildTree(items.map(hashOf))) === root ? items : undefined;
};

/** Yields the leaves of a tree; undefined for a part that is missing or differs. */
async function* leavesOf(
  files: ReadonlyMap<string, string>,
  { root }: Root,
): AsyncGenerator<readonly Leaf[] | undefined> {
  const parts = async (kind: 'tree' | 'chunk', of: string) =>
    readObject(files.get(`${kind}-${of}`) ?? '', of, isPart, (part) => part.root);
  for (const chunk of (await parts('tree', root)) ?? [undefined]) {
    const pages = chunk && (await parts('chunk', chunk.root));
    for (const page of pages ?? [undefined])
      yield page && (await readObject(files.get(`page-${page.root}`) ?? '', page.root, isLeaf, hashOfLeaf));
  }
}

/**
 * Reads the trees of roots.
 *
 * @returns the leaves, and a failure for each root whose tree is not whole
 */
export const readTrees = async (
  folder: string,
  roots: readonly Root[],
): Promise<{ readonly leaves: NonNullable<TrustAnchors['leaves']>; readonly failures: readonly ExportFailure[] }> => {
  const files = new Map<string, string>();
  for await (const file of glob('**/{tree,chunk,page}-*', { cwd: folder }))
    files.set(file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1), join(folder, file));
  const leaves = new Map<string, AnchoredLeaf[]>();
  const failures: ExportFailure[] = [];
  for (const root of roots) {
    let isWhole = true;
    for await (const page of leavesOf(files, root)) {
      if (page === undefined) isWhole = false;
      for (const leaf of page ?? []) {
        const known = leaves.get(leaf.returnId) ?? [];
        if (known.some(({ version, head }) => version === leaf.version && head === leaf.head)) continue;
        leaves.set(leaf.returnId, [...known, { ...leaf, at: root.at }]);
      }
    }
    if (!isWhole) failures.push({ name: 'missing tree', detail: `The tree of the root of ${root.at} is not whole.` });
  }
  return { leaves, failures };
};

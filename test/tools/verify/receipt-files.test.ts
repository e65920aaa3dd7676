import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../../../lib/domain/returns/history/canonical-json.ts';
import { initialHash } from '../../../lib/domain/returns/history/history.ts';
import {
  buildTree,
  hashOfLeaf,
  leafHash,
  proofPath,
  type Root,
  rootOf,
} from '../../../lib/domain/returns/history/merkle.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { checkReceiptProof, parseProof, type ReceiptProof } from '../../../lib/tools/verify/check-receipt-proof.ts';
import { buildReceipt, type ReceiptPayload } from '../../../lib/domain/withdrawals/receipt/receipt.ts';
import { jwks, signed } from '../../domain/withdrawals/fixtures.ts';
import { sample } from '../../support/samples.ts';

type Entry = JsonObject & { readonly hash: string };

/** Returns a chain of entries with these types. */
const chainOf = (types: readonly string[]): readonly Entry[] => {
  const entries: Entry[] = [];
  for (const [index, type] of types.entries()) {
    const previousHash = entries.at(-1)?.hash ?? initialHash;
    const entry = { sequence: index + 1, at: '2026-11-26T02:00:12.345Z', type, data: {}, previousHash };
    entries.push({ ...entry, hash: sha256Of(entry), mac: { key: 'first', value: 'ab' } });
  }
  return entries;
};

const returnId = 'wdr_01KB0000000000000000000000';
const entries = chainOf(['declared', 'matched', 'answered']);
const [first] = entries;
const leaf = { returnId, version: 2, head: entries[1]?.hash ?? '' };
const tree = buildTree([leafHash('a'), leafHash('b'), hashOfLeaf(leaf), leafHash('c'), leafHash('d')]);
const root: Root = { at: '2026-11-27T00:00:00.000Z', before: 'wdr_1', size: 5, withdrawals: 1, root: rootOf(tree) };
const proof: ReceiptProof = { ...leaf, at: root.at, index: 2, size: 5, path: proofPath(tree, 2), entries };

const receipt = signed({ entryHash: first?.hash ?? '' });
const payload = JSON.parse(receipt.payload) as ReceiptPayload;

const failuresOf = (changed: Partial<ReceiptProof>, roots: readonly Root[] = [root], of = payload) =>
  checkReceiptProof(of, { ...proof, ...changed }, roots).failures.map(({ name, sequence }) => [name, sequence]);

/** Returns the entries with one changed, with its hash as stored or made again. */
const changed = (index: number, changes: object, isRehashed = false): readonly JsonObject[] =>
  entries.map((entry, position) => {
    if (position !== index) return entry;
    const next = { ...entry, ...changes };
    return isRehashed ? { ...next, hash: sha256Of({ ...next, hash: undefined, mac: undefined }) } : next;
  });

describe('checkReceiptProof', () => {
  it('finds the first entry of the receipt under a root', () => {
    expect(checkReceiptProof(payload, proof, [root])).toEqual({
      failures: [],
      anchor: { at: root.at, anchored: 2, unanchored: 1 },
    });
  });

  it.each<[string, Partial<ReceiptProof>, string, number | undefined]>([
    ['an edited first entry', { entries: changed(0, { type: 'withdrawn' }) }, 'edited entry', 1],
    ['a rehashed first entry', { entries: changed(0, { type: 'withdrawn' }, true) }, 'rewritten chain', 2],
    ['an edited last entry', { entries: changed(2, { at: '2020-01-01T00:00:00.000Z' }) }, 'edited entry', 3],
    ['an unreadable entry', { entries: [null, ...entries.slice(1)] }, 'edited entry', 1],
    ['swapped entries', { entries: [entries[1], entries[0], entries[2]] as Entry[] }, 'swapped entries', 1],
    ['a removed first entry', { entries: entries.slice(1) }, 'swapped entries', 1],
    ['no entries', { entries: [] }, 'rewritten chain', 1],
    ['a removed tail', { entries: entries.slice(0, 1) }, 'removed tail', 2],
    ['another declaration', { returnId: 'wdr_2' }, 'rewritten chain', undefined],
    ['another head', { head: first?.hash ?? '' }, 'rewritten chain', undefined],
    ['another version', { version: 1 }, 'rewritten chain', undefined],
    ['version zero', { version: 0 }, 'rewritten chain', undefined],
    ['another place', { index: 1 }, 'rewritten chain', undefined],
    ['another size', { size: 6 }, 'rewritten chain', undefined],
    ['a shorter path', { path: proof.path.slice(1) }, 'rewritten chain', undefined],
    ['an unknown root', { at: '2026-11-28T00:00:00.000Z' }, 'rewritten chain', undefined],
  ])('names %s', (_, changes, name, sequence) => {
    expect(failuresOf(changes)).toEqual([[name, sequence]]);
  });

  it('names a whole chain that was made again with fresh hashes', () => {
    const again = chainOf(['declared', 'withdrawn', 'answered']);
    expect(failuresOf({ entries: again })).toEqual([['rewritten chain', 2]]);
    const other = chainOf(['other', 'matched', 'answered']);
    expect(failuresOf({ entries: other })).toEqual([['rewritten chain', 1]]);
    expect(failuresOf({ entries: other, head: other[1]?.hash ?? '' })).toEqual([['rewritten chain', 1]]);
    const fake = signed({ entryHash: other[0]?.hash ?? '' });
    const of = JSON.parse(fake.payload) as ReceiptPayload;
    expect(failuresOf({ entries: other, head: other[1]?.hash ?? '' }, [root], of)).toEqual([
      ['rewritten chain', undefined],
    ]);
  });

  it('trusts neither of two roots of one time', () => {
    expect(failuresOf({}, [root, root]).filter(([name]) => name === 'removed tail')).toEqual([]);
    const other = { ...root, root: '0'.repeat(64) };
    expect(failuresOf({}, [other, root]).at(-1)).toEqual(['rewritten chain', undefined]);
    expect(failuresOf({}, [root, other]).at(-1)).toEqual(['rewritten chain', undefined]);
  });

  it.each(['', '[]', '{}', JSON.stringify({ ...proof, path: [1] }), JSON.stringify({ ...proof, entries: [1] })])(
    'cannot read the proof %j',
    (text) => {
      expect(() => parseProof(text)).toThrow('something else');
    },
  );
});

describe('npm run verify', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'receipts-'));
    const jws = buildReceipt(receipt);
    const files = {
      'receipt.jws': `${jws}\n`,
      receipt: jws,
      'forged.jws': jws.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`),
      'huge.jws': `${jws}${'A'.repeat(1_000_000)}`,
      'empty.jws': '',
      'jwks.json': JSON.stringify(jwks),
      'roots.json': JSON.stringify([root]),
      'proof.json': JSON.stringify(proof),
      'edited.json': JSON.stringify({ ...proof, entries: changed(1, { type: 'withdrawn' }) }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  const verify = async (...names: readonly string[]) => {
    const args = [
      'lib/tools/verify/cli.ts',
      ...names.map((name) => (name.startsWith('-') ? name : join(directory, name))),
    ];
    return promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
    );
  };

  it.each(sample(['receipt.jws', 'receipt'], 2))('verifies the file %s by the published keys', async (name) => {
    const { code, text } = await verify(name, 'jwks.json');
    expect(code).toBe(0);
    expect(text.trimEnd().split('\n')).toEqual([
      'The signature is valid: key second of https://receipts.example.com.',
      'declaration wdr_01KB0000000000000000000000',
      'declared at 2026-11-26T03:00:12+01:00 (Europe/Berlin)',
      `SHA-256     ${receipt.sha256}`,
      `entry 1     ${first?.hash}`,
      'Its history entry was not checked: there are no roots and no proof.',
      'No faults.',
    ]);
  });

  it('prints what the consumer wrote only with --content', async () => {
    expect((await verify('receipt.jws', 'jwks.json')).text).not.toContain('Muster');
    expect((await verify('receipt.jws', 'jwks.json', '--content')).text).toContain('name        Jana Muster\n');
  });

  it('verifies the history entry by roots and proof', async () => {
    expect(await verify('receipt.jws', 'jwks.json', 'roots.json', 'proof.json')).toMatchObject({
      code: 0,
      text: expect.stringContaining(`Anchored by the root of ${root.at}: 2 entries; 1 not anchored.`),
    });
    expect(await verify('receipt.jws', 'jwks.json', 'roots.json', 'edited.json')).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^edited entry +wdr_01KB0000000000000000000000 {2}entry 2/),
    });
  });

  const invalid = [
    ['forged.jws', 'bad_signature'],
    ['huge.jws', 'malformed'],
    ['empty.jws', 'malformed'],
  ] as const;
  it.each(sample(invalid, 3))('exits with 1 for the receipt %s', async (name, reason) => {
    const { code, text } = await verify(name, 'jwks.json');
    expect([code, text]).toEqual([1, expect.stringContaining(`not valid (${reason})`)]);
  });

  it.each([
    [['roots.json'], ['export.ndjson', 'createExport', 'AnchorBucket', '.local/s3']],
    [['receipt.jws'], ['jwks.json', '/.well-known/withdrawal-receipts.json', 'proof of verifyWithdrawalHistory']],
    [[], ['export.ndjson', 'receipt.jws', 'AnchorBucket']],
    [
      ['receipt.jws', 'jwks.json', 'jwks.json', 'proof.json'],
      ['roots holds something else', 'AnchorBucket', '.local/s3'],
    ],
    [
      ['receipt.jws', 'roots.json'],
      ['no JSON Web Key Set', '/.well-known/withdrawal-receipts.json'],
    ],
    [['receipt.jws', 'jwks.json', 'roots.json', 'jwks.json'], ['verifyWithdrawalHistory']],
  ] as const)('says what it needs and where that is, for the files %j', async (names, parts) => {
    const { code, text } = await verify(...names);
    expect(code).toBe(2);
    for (const part of parts) expect(text.replaceAll('`', '')).toContain(part);
  });

  it('exits with 2 for wrong arguments and files', async () => {
    const calls = {
      'no keys': ['receipt.jws'],
      'roots without a proof': ['receipt.jws', 'jwks.json', 'roots.json'],
      'too many files': ['receipt.jws', 'jwks.json', 'roots.json', 'proof.json', 'roots.json'],
      'the option of an export': ['receipt.jws', 'jwks.json', '--part'],
      'the option of a receipt': ['roots.json', 'roots.json', '--content'],
      'roots in place of keys': ['receipt.jws', 'roots.json'],
      'a missing receipt': ['missing.jws', 'jwks.json'],
      'a missing export': ['missing.ndjson', 'roots.json'],
      'keys in place of a proof': ['receipt.jws', 'jwks.json', 'roots.json', 'jwks.json'],
    };
    const codes = Object.entries(calls).map(async ([name, names]) => [name, (await verify(...names)).code] as const);
    expect(Object.fromEntries(await Promise.all(codes))).toEqual(
      Object.fromEntries(Object.keys(calls).map((name) => [name, 2])),
    );
  });

  it('documents both calls', async () => {
    const { code, text } = await verify('--help');
    expect(code).toBe(0);
    expect(text).toContain('export.ndjson roots.json [key.json] | receipt.jws jwks.json [roots.json proof.json]');
  });
});

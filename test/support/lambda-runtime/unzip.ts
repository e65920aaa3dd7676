import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/*
 * Reads the part of the ZIP format that packaging writes. APPNOTE.TXT 4.3:
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

type Entry = { readonly name: string; readonly bytes: Buffer };

const signature = { end: Buffer.from('PK\x05\x06'), entry: 0x02_01_4b_50 };

const contentAt = (zip: Buffer, local: number, size: number, method: number): Buffer => {
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const stored = zip.subarray(start, start + size);
  if (method !== 0 && method !== 8) throw new Error(`compression method ${method} is unknown to Lambda`);
  return method === 0 ? stored : inflateRawSync(stored);
};

/** Returns the files of an archive, by its central directory. */
const entriesOf = (zip: Buffer): readonly Entry[] => {
  const end = zip.lastIndexOf(signature.end);
  if (end < 0) throw new Error('this is no zip file');
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== signature.entry) throw new Error(`no entry stands at byte ${at}`);
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, nameEnd);
    const bytes = contentAt(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 10));
    if (!name.endsWith('/')) entries.push({ name, bytes });
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
};

/** Unpacks an archive of ours into a folder, as Lambda does with a function's code. */
export const unzip = async (file: string, folder: string): Promise<void> => {
  for (const { name, bytes } of entriesOf(await readFile(file))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
};

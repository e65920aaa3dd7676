import { open } from 'node:fs/promises';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { DescriptionFailure } from './failure.ts';
import { maxBytes } from './limits.ts';

const unreadable: DescriptionFailure = { code: 'file_unreadable', path: '', accepted: 'the path of a readable file' };

/** Reads the file of a description, at most one byte more than the limit. */
export const readDescriptionFile = async (file: string): Promise<Result<Uint8Array, DescriptionFailure>> => {
  try {
    await using handle = await open(file, 'r');
    if (!(await handle.stat()).isFile()) return fail(unreadable);
    const bytes = new Uint8Array(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0) return ok(bytes.subarray(0, length));
    }
  } catch {
    return fail(unreadable);
  }
};

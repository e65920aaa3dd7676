import { describe, expect, test } from 'vitest';
import { generatedDocuments } from '../../../lib/tools/build/readme.ts';

describe('guides', () => {
  test('contain the blocks that the code generates: npm run readme', async () => {
    for (const { file, text, wanted } of await generatedDocuments())
      expect({ file, text }).toEqual({ file, text: wanted });
  });
});

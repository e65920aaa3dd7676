import { expect, test } from 'vitest';
import { readme } from '../../lib/build/readme.ts';

test('README.md has the blocks that the code generates: npm run readme', async () => {
  const { text, wanted } = await readme();
  expect(text).toBe(wanted);
});

import { expect, test } from 'vitest';
import { readme } from '../../lib/build/platform-table.ts';

test('README.md has the table of platforms that the code makes: npm run platforms', async () => {
  const { text, wanted } = await readme();
  expect(text).toBe(wanted);
});

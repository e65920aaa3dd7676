import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importedOperations, operationsIn } from '../../../lib/tools/template/function-needs.ts';

describe('operations that a function needs', () => {
  it.each([
    ['on one line', "import { approve, reject } from '#backend';", ['approve', 'reject']],
    ['on several lines', "import {\n  approve, // and no other\n  reject,\n} from '#backend';", ['approve', 'reject']],
    ['under other names', "import { approve as run } from '#backend';", ['approve']],
    ['next to types', "import { approve, type Backend } from '#backend';", ['approve']],
    ['as types only', "import type { Backend } from '#backend';", []],
    ['in a comment', "// import { approve } from '#backend';", []],
  ])('are those that it imports %s', (_, source, names) => {
    expect(importedOperations(source)).toEqual(names);
  });

  it('are those of a file of lib that it imports on several lines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'needs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'schedule.ts');
    await writeFile(file, "import {\n  runSchedule,\n} from './run-schedule.ts';\n");
    await writeFile(join(folder, 'run-schedule.ts'), "import { listReturns } from '#backend';\n");
    expect(operationsIn(file)).toEqual(['listReturns']);
  });
});

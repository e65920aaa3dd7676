import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlaces, unfinished } from '../../../lib/tools/build/operations/check-operations.ts';
import { planOperation } from '../../../lib/tools/build/operations/new-operation.ts';
import { missingPieces } from '../../../lib/tools/build/operations/pieces.ts';
import { kinds } from '../../../lib/tools/build/operations/stubs.ts';
import { getReturn, waiveFee } from '../../../lib/contract/operations.ts';

const linesOf = (pieces: readonly { readonly line: string }[]) => pieces.map(({ line }) => line);

describe('unfinished', () => {
  it('finds nothing that the operations of the contract lack', async () => {
    expect(await unfinished()).toEqual([]);
  });
});

describe('missingPieces', () => {
  it('lists all that a new command on a return lacks, each with its file', () => {
    expect(linesOf(missingPieces([{ ...waiveFee, name: 'pauseFee' }]))).toEqual([
      'service: lib/service/operations has no constant for pauseFee',
      'decision: lib/domain/returns/commands has no decision for pauseFee',
      'state: lib/domain/returns/rules/states.ts has no row for pauseFee',
      'label: lib/console/texts/en/labels.json has no label for pauseFee',
      'form: lib/console/screens/return/commands.ts has no command for pauseFee',
      'example: test/contract/examples.test.ts has no step for pauseFee',
      'direct call: test/direct/operations.test.ts has no call for pauseFee',
      'repeat: test/contract/lost-replies.test.ts has no case for pauseFee',
      'write units: test/store/capacity.test.ts has no step for pauseFee',
      'attempts: test/support/forms.ts has no forms for pauseFee',
      'model: test/domain/returns/model/step.ts has no member for pauseFee',
      'model: test/domain/returns/model/steps.ts has no step for pauseFee',
      'model: test/domain/returns/model/edges.ts has no edges for pauseFee',
      'model: test/domain/returns/model/evaluate-step.ts has no case for pauseFee',
      'model: test/domain/returns/model/perform.ts has no case for pauseFee',
    ]);
  });

  it('lists all that a new read lacks, and says what nothing can be generated without', () => {
    const missing = missingPieces([{ ...getReturn, name: 'getPause' }]);
    expect(linesOf(missing)).toEqual([
      'service: lib/service/operations has no constant for getPause',
      'permissions: lib/tools/template/functions/operation-permissions.ts has no permissions for getPause',
      'example: test/contract/examples.test.ts has no step for getPause',
      'direct call: test/direct/operations.test.ts has no call for getPause',
    ]);
    expect(missing.map(({ isFirst }) => isFirst)).toEqual([true, true, false, false]);
  });
});

/** Plans an operation that can be added, and returns the texts of its files. */
const plan = (name: string, resource: string, kind: string): ReadonlyMap<string, string> => {
  const planned = planOperation({ name, resource, kind });
  if (!planned.ok) throw new Error(planned.failure);
  return planned.files;
};

/** Writes planned files to a folder, and returns the places that are open there. */
const openIn = async (files: ReadonlyMap<string, string>): Promise<readonly string[]> => {
  const root = await mkdtemp(join(tmpdir(), 'returns-new-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [file, text] of files) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return linesOf(openPlaces(root));
};

describe('planOperation', () => {
  it('plans every file of a command on a return, with a place to fill in wherever a person decides', async () => {
    const files = plan('pauseReturn', 'returns', 'command');
    expect([...files.keys()]).toEqual([
      'lib/contract/returns/operations.ts',
      'lib/domain/returns/commands/pause-return.ts',
      'lib/service/operations/returns/pause-return.ts',
      'lib/domain/returns/rules/states.ts',
      'lib/console/screens/return/commands.ts',
      'lib/console/texts/en/labels.json',
      'lib/console/texts/pt/labels.json',
      'test/contract/pause-return.test.ts',
    ]);
    expect(files.get('lib/domain/returns/rules/states.ts')).toMatch(
      / {2}pauseReturn: \{ in: fillIn\(.*scope: 'returns:write'/,
    );
    const open = await openIn(files);
    expect(new Set(open.map((line) => /^fill in: (\S+):\d+ \S/.exec(line)?.[1]))).toEqual(
      new Set([...files.keys()].filter((file) => !/commands\.ts$|^lib\/service\/operations\//.test(file))),
    );
  });

  it.each(Object.entries(kinds))(
    'plans a %s with its builder, its service, its permissions and its test',
    (kind, { builder }) => {
      const files = plan('sortParts', 'jobs', kind);
      expect([...files.keys()]).toEqual([
        'lib/contract/jobs/operations.ts',
        'lib/service/operations/jobs/sort-parts.ts',
        'lib/tools/template/functions/operation-permissions.ts',
        'test/contract/sort-parts.test.ts',
      ]);
      const entry = files.get('lib/contract/jobs/operations.ts') ?? '';
      expect(entry).toContain(`export const sortParts = ${builder}({\n  path: fillIn(`);
      expect(entry).toMatch(new RegExp(`^import \\{[^}]*\\b${builder}\\b[^}]*\\} from '../entry.ts';$`, 'm'));
      expect(files.get('lib/tools/template/functions/operation-permissions.ts')).toContain('\n  sortParts: fillIn(');
    },
  );

  it('adds an entry to a file of the resource, and permissions of both modes for the inbox', () => {
    expect([...plan('pauseFee', 'returns/money', 'admin-command').keys()][0]).toBe(
      'lib/contract/returns/money-operations.ts',
    );
    const files = plan('countDeliveries', 'inbox', 'read');
    expect(files.has('lib/service/operations/inbox/count-deliveries.ts')).toBe(true);
    expect(files.get('lib/tools/template/functions/operation-permissions.ts')).toMatch(
      /const inboxPermissions: .*\{\n {2}countDeliveries: fillIn\(/,
    );
  });

  it.each([
    ['approve', 'returns', 'command', 'approve exists already, in lib/contract/returns/request-operations.ts.'],
    ['pause_return', 'returns', 'command', 'pause_return is no name of an operation. Use camel case'],
    ['PauseReturn', 'returns', 'command', 'PauseReturn is no name of an operation.'],
    ['delete', 'returns', 'command', 'delete is no name of an operation.'],
    ['pauseReturn', 'retruns', 'command', 'Unknown resource retruns. Did you mean returns?'],
    ['pauseReturn', 'cars', 'command', 'Unknown resource cars. There are decisions, events, inbox, jobs,'],
    ['pauseReturn', 'returns', 'reed', 'Unknown kind reed. Did you mean read?'],
    ['verifyHistory', 'jobs', 'read', 'verifyHistory exists already, in lib/contract/returns/operations.ts.'],
    ['createReturn2', 'returns', 'toString', 'Unknown kind toString. There are read, compute,'],
    ['beginJob', 'jobs', 'read', 'lib/service/operations/jobs/begin-job.ts exists already. Remove it first.'],
  ])('rejects %s of %s as a %s', (name, resource, kind, failure) => {
    const planned = planOperation({ name, resource, kind });
    expect(planned.ok ? 'it is planned' : planned.failure).toContain(failure);
  });
});

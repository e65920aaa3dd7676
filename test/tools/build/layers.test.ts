import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exceptions, folderRules } from '../../../lib/tools/build/layers/folder-rules.ts';
import { layerRules } from '../../../lib/tools/build/layers/layer-rules.ts';
import { importsByFolder, foldersReachedFrom } from '../../../lib/tools/build/readme.ts';

/** Imports against the direction of data: a file, and a forbidden import. */
const crooked = [
  ['functions/schedules/a.ts', '../queues/process.ts'],
  ['functions/api/returns/a.ts', '../../../lib/store/orders.ts'],
  ['functions/api/returns/a.ts', '../../../lib/edge/backend/standalone.ts'],
  ['functions/api/returns/a.ts', '../../../lib/tools/template/functions.ts'],
  ['lib/tools/template/functions/a.ts', '../../../store/orders.ts'],
  ['lib/tools/template/permissions/a.ts', '../../../contract/operations.ts'],
  ['lib/tools/template/alarms/a.ts', '../../../contract/operations.ts'],
  ['lib/contract/a.ts', '../domain/returns/order.ts'],
  ['lib/domain/returns/a.ts', '../../contract/order.ts'],
  ['lib/domain/returns/a.ts', '../../store/orders.ts'],
  ['lib/domain/returns/a.ts', 'node:fs'],
  ['lib/domain/returns/goods/a.ts', '../commands/approve.ts'],
  ['lib/domain/returns/model/a.ts', '../rules/states.ts'],
  ['lib/domain/returns/goods/a.ts', '../../../store/orders.ts'],
  ['lib/domain/returns/money/a.ts', 'undici'],
  ['lib/domain/money/a.ts', 'undici'],
  ['lib/domain/policies/a.ts', 'ulid'],
  ['lib/domain/policies/a.ts', './evaluate/compile.ts'],
  ['lib/domain/policies/evaluate/a.ts', '../lifecycle/catalogue.ts'],
  ['lib/domain/policies/evaluate/a.ts', '../law/rights.ts'],
  ['lib/domain/policies/lint/a.ts', '../evaluate/compile.ts'],
  ['lib/domain/policies/time/a.ts', 'temporal-polyfill/fns/Instant'],
  ['lib/domain/policies/decision/a.ts', '../../../store/decisions.ts'],
  ['lib/store/a.ts', '../edge/http/problem.ts'],
  ['lib/access/net/a.ts', '../../contract/errors.ts'],
  ['lib/access/secrets/a.ts', '../oauth/access.ts'],
  ['lib/access/oauth/a.ts', '../../contract/errors.ts'],
  ['lib/access/client/a.ts', '../../edge/backend/connected.ts'],
  ['lib/tools/cli/run/a.ts', '../../../store/orders.ts'],
  ['lib/tools/cli/a.ts', '../local/stack.ts'],
  ['lib/tools/doctor/a.ts', '../../access/client/container.ts'],
  ['lib/tools/doctor/a.ts', '../local/aws.ts'],
  ['lib/edge/backend/a.ts', '../../store/orders/orders.ts'],
  ['lib/service/operations/returns/a.ts', '../../../access/client/service.ts'],
  ['lib/service/operations/a.ts', '../../edge/http/problem.ts'],
  ['lib/service/execution/a.ts', '../operations/returns/approve.ts'],
  ['lib/service/views/a.ts', '../execution/execute.ts'],
  ['lib/edge/backend/forward.ts', '../../service/operations/returns/approve.ts'],
  ['lib/shops/inbox/a.ts', '../../service/execution/execute.ts'],
  ['lib/service/operations/inbox/a.ts', '../returns/approve.ts'],
  ['lib/edge/http/a.ts', '../../domain/returns/order.ts'],
  ['lib/shops/platforms/shopify/a.ts', '../../../store/inbox/inbox.ts'],
  ['lib/shops/platforms/shopify/a.ts', '../vtex/api.ts'],
  ['lib/shops/platforms/shared/http/a.ts', '../../shopify/api.ts'],
  ['lib/shops/platforms/a.ts', '../../edge/backend/connected.ts'],
  ['lib/domain/events/a.ts', '../../store/outbox.ts'],
  ['lib/service/outbox/a.ts', '../../domain/returns/commands/approve.ts'],
  ['lib/service/schedules/a.ts', '../operations/returns/expire.ts'],
  ['lib/service/statistics/a.ts', '../../contract/port.ts'],
  ['lib/service/jobs/a.ts', '../operations/returns/approve.ts'],
  ['lib/runtime/a.ts', '../store/orders.ts'],
  ['lib/service/schedules/anchors/a.ts', '../../operations/returns/approve.ts'],
  ['lib/service/schedules/retention/a.ts', '../../outbox/send.ts'],
  ['lib/shops/inbox/a.ts', '../../domain/returns/order.ts'],
  ['lib/shops/inbox/a.ts', '../../../functions/webhooks/process.ts'],
] as const;

describe('layers of lib', () => {
  it('reject each import against the direction of data by lint', () => {
    const root = mkdtempSync(join(tmpdir(), 'layers-'));
    try {
      copyFileSync('.oxlintrc.json', join(root, '.oxlintrc.json'));
      mkdirSync(join(root, 'dist/lint'), { recursive: true });
      writeFileSync(join(root, 'dist/lint/layers.json'), JSON.stringify(layerRules()));
      const files = crooked.map(([file, from], index) => {
        const name = file.replace('a.ts', `a${index}.ts`);
        mkdirSync(join(root, dirname(name)), { recursive: true });
        writeFileSync(join(root, name), `import { a } from '${from}';\nexport const b = a;\n`);
        return name;
      });
      const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--format', 'unix', 'functions', 'lib'], {
        cwd: root,
        encoding: 'utf8',
      });
      const rejected = stdout.split('\n').filter((line) => line.includes('no-restricted-imports'));
      expect(files.filter((name) => !rejected.some((line) => line.includes(name)))).toEqual([]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('have no room that imports itself through other rooms', () => {
    const graph = importsByFolder();
    expect(graph.size).toBeGreaterThan(15);
    expect([...graph.keys()].filter((room) => foldersReachedFrom(graph, room).has(room))).toEqual([]);
  });

  it('have no path or pattern that matches no file', () => {
    const rules = { ...folderRules, ...exceptions };
    const patterns = new Set(
      Object.entries(rules).flatMap(([path, { imports, closed = [] }]) => [path, ...imports, ...closed]),
    );
    // A braces pattern is a list: each of its files must exist.
    const each = [...patterns].flatMap((pattern) => {
      const [, start = '', list, end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
      return list === undefined ? [pattern] : list.split(',').map((name) => `${start}${name}${end}`);
    });
    const files = (pattern: string) => globSync(/\.\w+$/.test(pattern) ? pattern : `${pattern}/**/*.{ts,tsx}`);
    expect(each.length).toBeGreaterThan(60);
    expect(each.filter((pattern) => files(pattern).length === 0)).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layerRules } from '../../lib/build/layers/layer-rules.ts';
import { importsByFolder, foldersReachedFrom } from '../../lib/build/readme.ts';

/** Imports against the direction of data: a file, and a forbidden import. */
const crooked = [
  ['functions/schedules/a.ts', '../queues/process.ts'],
  ['functions/api/returns/a.ts', '../../../lib/store/orders.ts'],
  ['functions/api/returns/a.ts', '../../../lib/backend/standalone.ts'],
  ['functions/api/returns/a.ts', '../../../lib/deploy/functions.ts'],
  ['lib/deploy/functions/a.ts', '../../store/orders.ts'],
  ['lib/deploy/permissions/a.ts', '../../contract/operations.ts'],
  ['lib/deploy/alarms/a.ts', '../../contract/operations.ts'],
  ['lib/contract/a.ts', '../returns/order.ts'],
  ['lib/returns/a.ts', '../contract/order.ts'],
  ['lib/returns/a.ts', '../store/orders.ts'],
  ['lib/returns/a.ts', 'node:fs'],
  ['lib/returns/goods/a.ts', '../commands/approve.ts'],
  ['lib/returns/model/a.ts', '../rules/states.ts'],
  ['lib/returns/goods/a.ts', '../../store/orders.ts'],
  ['lib/returns/money/a.ts', 'undici'],
  ['lib/money/a.ts', 'undici'],
  ['lib/policies/a.ts', 'ulid'],
  ['lib/policies/a.ts', './evaluate/compile.ts'],
  ['lib/policies/evaluate/a.ts', '../life/catalogue.ts'],
  ['lib/policies/evaluate/a.ts', '../law/rights.ts'],
  ['lib/policies/lint/a.ts', '../evaluate/compile.ts'],
  ['lib/policies/time/a.ts', 'temporal-polyfill/fns/Instant'],
  ['lib/policies/decision/a.ts', '../../store/decisions.ts'],
  ['lib/store/a.ts', '../http/problem.ts'],
  ['lib/net/a.ts', '../contract/errors.ts'],
  ['lib/secrets/a.ts', '../oauth/access.ts'],
  ['lib/oauth/a.ts', '../contract/errors.ts'],
  ['lib/client/a.ts', '../backend/connected.ts'],
  ['lib/cli/run/a.ts', '../../store/orders.ts'],
  ['lib/cli/a.ts', '../local/stack.ts'],
  ['lib/doctor/a.ts', '../client/container.ts'],
  ['lib/doctor/a.ts', '../local/aws.ts'],
  ['lib/backend/a.ts', '../store/orders/orders.ts'],
  ['lib/service/returns/a.ts', '../../client/service.ts'],
  ['lib/service/a.ts', '../http/problem.ts'],
  ['lib/execution/a.ts', '../service/returns/approve.ts'],
  ['lib/views/a.ts', '../execution/execute.ts'],
  ['lib/backend/forward.ts', '../service/returns/approve.ts'],
  ['lib/inbox/a.ts', '../execution/execute.ts'],
  ['lib/inbox/operations/a.ts', '../../service/returns/approve.ts'],
  ['lib/http/a.ts', '../returns/order.ts'],
  ['lib/platforms/shopify/a.ts', '../../store/inbox/inbox.ts'],
  ['lib/platforms/shopify/a.ts', '../vtex/api.ts'],
  ['lib/platforms/shared/http/a.ts', '../../shopify/api.ts'],
  ['lib/platforms/a.ts', '../backend/connected.ts'],
  ['lib/events/a.ts', '../store/outbox.ts'],
  ['lib/outbox/a.ts', '../returns/commands/approve.ts'],
  ['lib/schedules/a.ts', '../service/returns/expire.ts'],
  ['lib/statistics/a.ts', '../contract/port.ts'],
  ['lib/jobs/a.ts', '../service/returns/approve.ts'],
  ['lib/runtime/a.ts', '../store/orders.ts'],
  ['lib/anchors/a.ts', '../service/returns/approve.ts'],
  ['lib/retention/a.ts', '../outbox/send.ts'],
  ['lib/inbox/a.ts', '../returns/order.ts'],
  ['lib/inbox/a.ts', '../../functions/webhooks/process.ts'],
] as const;

describe('layers of lib', () => {
  it('refuse each import against the direction of data by lint', () => {
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
      const refused = stdout.split('\n').filter((line) => line.includes('no-restricted-imports'));
      expect(files.filter((name) => !refused.some((line) => line.includes(name)))).toEqual([]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('have no room that imports itself through other rooms', () => {
    const graph = importsByFolder();
    expect(graph.size).toBeGreaterThan(20);
    expect([...graph.keys()].filter((room) => foldersReachedFrom(graph, room).has(room))).toEqual([]);
  });
});

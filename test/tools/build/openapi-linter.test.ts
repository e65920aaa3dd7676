import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Described = { description?: string; security?: unknown[]; requestBody?: Body };
type Body = { content?: Record<string, { example?: unknown }> };
type Document = { paths: Record<string, Record<string, Described>>; tags: { description?: string }[] };

const file = 'dist/contract/openapi.json';
const read = () => JSON.parse(readFileSync(file, 'utf8')) as Document;
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

/** Ends a process that opens a connection. */
const offline = "import net from 'node:net'; net.Socket.prototype.connect = () => process.exit(97);";

const lint = (document: string) =>
  spawnSync(
    process.execPath,
    ['node_modules/.bin/redocly', 'lint', document, '--config', 'lib/tools/build/redocly.yaml', '--format', 'json'],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(offline)}`,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
    },
  );

describe('linter of the OpenAPI document', () => {
  it('accepts the document, and opens no connection', () => {
    expect(lint(file)).toMatchObject({ status: 0 });
  });

  it('names a missing description, and an example that its schema rejects', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    try {
      const document = read();
      const { post } = document.paths['/returns'] ?? {};
      delete post?.security;
      delete operationsOf(document)[0]?.description;
      delete document.tags[0]?.description;
      const media = post?.requestBody?.content?.['application/json'];
      if (media !== undefined) media.example = { order: 'web/1001' };
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
      const { status, stdout } = lint(join(folder, 'openapi.json'));
      const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] };
      const rules = ['security-defined', 'operation-description', 'tag-description', 'no-invalid-media-type-examples'];
      expect({ status, rules: new Set(problems.map(({ ruleId }) => ruleId)) }).toEqual({
        status: 1,
        rules: new Set(rules),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractDocument } from '../support/generated/document.ts';

type Media = { example?: unknown; schema?: { properties?: { code?: { enum: string[] } } } };
type Content = { content?: Record<string, Media> };
type Described = {
  operationId: string;
  description?: string;
  security?: unknown[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string; description: string }>;
};
type Document = { paths: Record<string, Record<string, Described>>; tags: { description?: string }[] };

const file = 'dist/contract/openapi.json';
const read = () => JSON.parse(readFileSync(file, 'utf8')) as Document;
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

/** Ends a process that reaches for the network. */
const offline = "import net from 'node:net'; net.Socket.prototype.connect = () => process.exit(97);";

const lint = (document: string) =>
  spawnSync(process.execPath, ['node_modules/.bin/redocly', 'lint', document, '--format', 'json'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(offline)}`,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  });

describe('the OpenAPI document', () => {
  it('stands up to the linter, which asks nobody else', () => {
    expect(lint(file)).toMatchObject({ status: 0 });
  });

  it.each<[string, string, (document: Document) => void]>([
    ['an operation without security', 'security-defined', ({ paths }) => delete paths['/returns']?.['post']?.security],
    [
      'an operation nobody described',
      'operation-description',
      (document) => delete operationsOf(document)[0]?.description,
    ],
    ['a tag nobody described', 'tag-description', ({ tags }) => delete tags[0]?.description],
    [
      'an example that is none',
      'no-invalid-media-type-examples',
      ({ paths }) => {
        const media = paths['/returns']?.['post']?.requestBody?.content?.['application/json'];
        if (media !== undefined) media.example = { order: 'web/1001' };
      },
    ],
  ])('is told of %s', (_, rule, plant) => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    try {
      const document = read();
      plant(document);
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
      const { status, stdout } = lint(join(folder, 'openapi.json'));
      const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] };
      expect({ status, rules: new Set(problems.map(({ ruleId }) => ruleId)) }).toEqual({
        status: 1,
        rules: new Set([rule]),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows a body for each operation that takes and that answers one, as its schemas want it', () => {
    const described = new Map(operationsOf(read()).map((operation) => [operation.operationId, operation]));
    const unfit = contractDocument().operations.flatMap(({ id, body, responses }) => {
      const taken = described.get(id)?.requestBody?.content ?? {};
      const answered = [...responses].filter(([status]) => Number(status) < 300);
      return [
        ...(body?.mediaTypes ?? [])
          .filter((type) => body?.validate(taken[type]?.example) !== true)
          .map((type) => `what ${id} takes as ${type}`),
        ...answered.flatMap(([status, { content }]) =>
          [...content]
            .filter(([type, validate]) => !validate(described.get(id)?.responses[status]?.content?.[type]?.example))
            .map(() => `what ${id} answers with ${status}`),
        ),
      ];
    });
    expect(unfit).toEqual([]);
  });

  it('names in words the codes that its schemas allow', () => {
    for (const { responses } of operationsOf(read())) {
      for (const { $ref, description, content = {} } of Object.values(responses)) {
        if ($ref !== undefined) continue;
        const allowed = content['application/problem+json']?.schema?.properties?.code?.enum ?? [];
        expect(Array.from(description.matchAll(/`(\w+)`/g), ([, code]) => code)).toEqual(allowed);
      }
    }
  });
});

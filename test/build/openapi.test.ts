import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as operations from '../../lib/contract/operations.ts';
import { contractDocument } from '../support/generated/document.ts';

type Media = { example?: unknown; schema?: { properties?: { code?: { enum: string[] } } } };
type Content = { content?: Record<string, Media> };
type Described = {
  operationId: string;
  parameters: { name: string; required: boolean }[];
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

  it('is told of what is missing, and of an example that is none', () => {
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

  it('demands an Idempotency-Key where the operation answers 400 without it, and nowhere else', () => {
    const keyed = operationsOf(read()).flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ required }) => [operationId, required]),
    );
    const expected = Object.values(operations).filter(({ idempotencyKey }) => idempotencyKey);
    expect(new Map(keyed as [string, boolean][])).toEqual(new Map(expected.map(({ name }) => [name, true])));
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

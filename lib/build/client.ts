import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeChanged } from './files.ts';
import { generatedIn } from './generated.ts';

type Package = Readonly<Record<'version' | 'license', string>> & {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** What the client needs of others at run time: the versions are ours. */
const needed = ['@aws-sdk/client-secrets-manager', 'undici'] as const;

const minNode = 24;

/** Parses on any Node of today, unlike what it loads. */
const entry = `const [major] = process.versions.node.split('.');
if (Number(major) < ${minNode}) {
  throw new Error(\`returns-client needs Node ${minNode} or later; this is Node \${process.versions.node}.\`);
}
export const { createReturnsClient } = await import('./client.js');
`;

const readme = `# returns-client

A typed client of the Returns Service. It needs Node ${minNode} or later.

\`\`\`ts
import { createReturnsClient } from 'returns-client';

const client = createReturnsClient({
  serviceUrl: 'https://returns.example.com',
  authUrl: 'https://id.example.com',
  credentials: { secretId: 'returns/client' },
});
const found = await client.getReturn({ returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' });
if (!found.ok) console.error(found.failure.code, found.failure.detail, found.failure.reason);
await client.close();
\`\`\`

- \`credentials\` are \`{ clientId, clientSecret, certificate?, privateKey?, ca? }\`, or \`{ secretId }\`: a secret of AWS Secrets Manager
  that holds them as JSON. Then \`AWS_REGION\` and AWS credentials must be set, as for any program that uses the AWS SDK.
- A refusal is a value: \`code\` and \`detail\`, and for whoever runs the program \`reason\`, such as \`SecretUnavailable AWS_REGION is not set\`.
`;

const packageJson = ({ version, license, dependencies }: Package) => ({
  name: 'returns-client',
  version,
  private: true,
  description: 'A typed client of the Returns Service',
  license,
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
  engines: { node: `>=${minNode}` },
});

/**
 * Writes lib/client as a package into <root>/dist/client/. What it reports goes to a diagnostics channel instead of stdout, and
 * the AWS SDK is in a part of its own, which is loaded when it is needed. Needs what is generated there.
 */
export const buildClient = async (root: string): Promise<void> => {
  const folder = join(root, 'dist/client');
  const { outputFiles } = await build({
    write: false,
    entryPoints: { client: 'lib/client/returns-client.ts' },
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['client'],
    external: [...needed],
    logLevel: 'warning',
    plugins: [generatedIn(join(root, 'dist'))],
  });
  for (const { path, contents } of outputFiles) await writeChanged(path, contents);
  await writeChanged(`${folder}/index.js`, entry);
  await writeChanged(`${folder}/README.md`, readme);
  const ours = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  await writeChanged(`${folder}/package.json`, `${JSON.stringify(packageJson(ours), null, 2)}\n`);
  await writeChanged(`${folder}/index.d.ts`, await readFile(join(root, 'dist/contract/client.d.ts')));
};

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { readCatalogue, readVersion } from '../cli/catalogue.ts';
import { writeChanged } from '../command-line/files.ts';
import { generatedIn } from './bundle.ts';

type Package = Readonly<Record<'version' | 'license', string>> & {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** The run-time dependencies of the client, in the versions of this repository. */
const needed = ['@aws-sdk/client-secrets-manager', 'undici'] as const;

const minNode = 24;

/** Any current Node parses this entry, unlike the module that it loads. */
const entry = `const [major] = process.versions.node.split('.');
if (Number(major) < ${minNode}) {
  throw new Error(\`returns-client needs Node ${minNode} or later; this is Node \${process.versions.node}.\`);
}
export const { createReturnsClient } = await import('./client.js');
`;

/** The command: it also tells an older Node what it needs, before that Node parses the rest. */
const commandEntry = `#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < ${minNode}) {
  console.error(\`returns needs Node ${minNode} or later; this is Node \${process.versions.node}.\`);
  process.exitCode = 1;
} else {
  await import('./start.js');
}
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

Your editor shows the description, the errors and an example of each method.

| option | meaning |
|---|---|
| \`serviceUrl\`, \`authUrl\` | the addresses of the Returns Service and of the token issuer, with https |
| \`tokenPath\` | the path of the token endpoint below \`authUrl\`; \`/connect/token\` by default |
| \`servicePath\`, \`clientAuthentication\`, \`tokenHeader\`, \`tokenScheme\`, \`tokenFields\`, \`tokenLifetime\`, \`serviceHeaders\`, \`serviceScopes\` | for a service or an issuer with other rules |
| \`credentials\` | \`{ clientId, clientSecret, certificate?, privateKey?, ca?, headers? }\`, or \`{ secretId }\` |

- \`secretId\` names a secret of AWS Secrets Manager that holds the credentials as JSON. It needs \`AWS_REGION\` and AWS
  credentials, as every program with the AWS SDK does.
- A failure is a value. \`failure.code\` and \`failure.detail\` are for the caller. \`failure.reason\` is for the operator, such as
  \`SecretUnavailable AWS_REGION is not set\`.
- A method with \`options.idempotencyKey\` repeats safely. Without a key, the client creates one for each call.
- \`client.items\` has a method for each list. It reads page after page.
- The client holds one token for each scope. \`close\` ends its connections.

## The command line

\`npx --no-install returns --help\` lists the commands of this package. A profile names the service and the client:

\`\`\`console
npx --no-install returns profiles
npx --no-install returns list --limit 5
\`\`\`
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
  bin: { returns: './cli/returns.js' },
  dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
  engines: { node: `>=${minNode}` },
});

/**
 * The command line holds the operations of the contract as data, so that it starts without their schemas. It calls the
 * client of the package.
 */
const packagedCommand: Plugin = {
  name: 'packaged command',
  setup: (build) => {
    build.onLoad({ filter: /\/lib\/tools\/cli\/catalogue\.ts$/ }, () => ({
      loader: 'js',
      contents: `const catalogue = ${JSON.stringify(JSON.stringify(readCatalogue()))};
export const readCatalogue = () => JSON.parse(catalogue);
export const readVersion = () => ${JSON.stringify(readVersion())};
`,
    }));
    build.onResolve({ filter: /\/client\/returns-client\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: '../client.js', external: true } : undefined,
    );
  },
};

/** Bundles a part of the package. Packages that the bundle needs at run time stay outside of it. */
const bundlePart = async (root: string, entryPoints: Readonly<Record<string, string>>, outdir: string) => {
  const { outputFiles } = await build({
    write: false,
    entryPoints,
    outdir,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['client'],
    external: [...needed],
    // No module of the package is started by itself.
    define: { 'import.meta.main': 'false' },
    logLevel: 'warning',
    plugins: [generatedIn(join(root, 'dist')), packagedCommand],
  });
  for (const { path, contents } of outputFiles) await writeChanged(path, contents);
};

/**
 * Writes lib/access/client and lib/tools/cli as a package into <root>/dist/client/. The client logs to a diagnostics channel instead
 * of stdout. The AWS SDK is a part of its own, which is loaded on demand. It needs the generated files there.
 */
export const buildClient = async (root: string): Promise<void> => {
  const folder = join(root, 'dist/client');
  await bundlePart(root, { client: 'lib/access/client/returns-client.ts' }, folder);
  await bundlePart(root, { start: 'lib/tools/cli/start.ts' }, join(folder, 'cli'));
  await writeChanged(`${folder}/cli/returns.js`, commandEntry);
  // The bundle contains commander, and its licence asks for this.
  await writeChanged(`${folder}/cli/commander-LICENSE`, await readFile('node_modules/commander/LICENSE'));
  await writeChanged(`${folder}/index.js`, entry);
  await writeChanged(`${folder}/README.md`, readme);
  const ours = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  await writeChanged(`${folder}/package.json`, `${JSON.stringify(packageJson(ours), null, 2)}\n`);
  await writeChanged(`${folder}/index.d.ts`, await readFile(join(root, 'dist/contract/client.d.ts')));
};

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { readCatalogue, readVersion } from '../cli/catalogue.ts';
import { writeChanged } from '../command-line/files.ts';
import { callableOffer, clientContract, clientFolder, type Offer, offersAll } from '../template/offer.ts';
import { generatedIn } from './bundle.ts';
import { recordsOf } from './operations/source-files.ts';

type Package = Readonly<Record<'version' | 'license', string>> & {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** The run-time dependencies of the client, in the versions of this repository. */
const needed = ['@aws-sdk/client-secrets-manager', 'undici'] as const;

/** The least Node of undici, which the package needs. Each later one is accepted. */
const minNode = '22.19.0';

const [leastMajor, leastMinor] = minNode.split('.');

/** Code that any Node parses. */
const tooOld = `const [major, minor] = process.versions.node.split('.').map(Number);
const isTooOld = major < ${leastMajor} || (major === ${leastMajor} && minor < ${leastMinor});`;

/** What tells the package of an offer from those of other offers. */
type Identity = {
  readonly name: string;
  /** A sentence. */
  readonly about: string;
  /** The input of the example, as code, for the method that it calls. */
  readonly call: string;
  /** The arguments of the example of the command line. */
  readonly command: string;
};

/** Returns the examples of an offer: by what it has. */
const examplesOf = (offer: Offer, returnId: string): Pick<Identity, 'call' | 'command'> => ({
  call: offersAll(offer, ['getReturn']) ? `getReturn({ returnId: '${returnId}' })` : 'health()',
  command: offersAll(offer, ['listReturns']) ? 'list --limit 5' : 'health',
});

const identityOf = (offer: Offer): Identity => {
  const { adapter } = offer;
  return adapter === undefined
    ? {
        name: 'returns-client',
        about: 'A typed client of the Returns Service.',
        ...examplesOf(offer, 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB'),
      }
    : {
        name: `returns-client-${adapter.name}`,
        about: `A typed client of a deployment with the adapter ${adapter.name}.`,
        ...examplesOf(offer, '12345'),
      };
};

/** Any current Node parses this entry, unlike the module that it loads. */
const entryOf = (name: string): string => `${tooOld}
if (isTooOld) {
  throw new Error(\`${name} needs Node ${minNode} or later; this is Node \${process.versions.node}.\`);
}
export const { createReturnsClient } = await import('./client.js');
`;

/** The command: it also tells an older Node what it needs, before that Node parses the rest. */
const commandEntry = `#!/usr/bin/env node
${tooOld}
if (isTooOld) {
  console.error(\`returns needs Node ${minNode} or later; this is Node \${process.versions.node}.\`);
  process.exitCode = 1;
} else {
  await import('./start.js');
}
`;

const readmeOf = ({ name, about, call, command }: Identity): string => `# ${name}

${about} It needs Node ${minNode} or later.

\`\`\`ts
import { createReturnsClient } from '${name}';

const client = createReturnsClient({
  serviceUrl: 'https://returns.example.com',
  authUrl: 'https://id.example.com',
  credentials: { secretId: 'returns/client' },
});
const found = await client.${call};
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
npx --no-install returns ${command}
\`\`\`
`;

const packageJson = ({ version, license, dependencies }: Package, { name, about }: Identity) => ({
  name,
  version,
  private: true,
  description: about.replace(/\.$/, ''),
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
const packagedCommand = (offer: Offer): Plugin => ({
  name: 'packaged command',
  setup: (build) => {
    build.onLoad({ filter: /\/lib\/tools\/cli\/catalogue\.ts$/ }, () => ({
      loader: 'js',
      contents: `const catalogue = ${JSON.stringify(JSON.stringify(readCatalogue(callableOffer(offer))))};
export const readCatalogue = () => JSON.parse(catalogue);
export const readVersion = () => ${JSON.stringify(readVersion())};
export const writeMissingContract = () => undefined;
`,
    }));
    build.onResolve({ filter: /\/client\/returns-client\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: '../client.js', external: true } : undefined,
    );
  },
});

/** Gives the client the operations that an offer has. */
const offeredOperations = (offer: Offer): Plugin => ({
  name: 'offered operations',
  setup: (build) => {
    build.onLoad({ filter: /\/lib\/contract\/operations\.ts$/ }, () => ({
      loader: 'ts',
      contents: recordsOf(callableOffer(offer).entries),
    }));
  },
});

/** Bundles a part of the package. Packages that the bundle needs at run time stay outside of it. */
const bundlePart = async (
  entryPoints: Readonly<Record<string, string>>,
  outdir: string,
  plugins: readonly Plugin[],
) => {
  const { outputFiles } = await build({
    write: false,
    entryPoints,
    outdir,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22.19',
    format: 'esm',
    conditions: ['client'],
    external: [...needed],
    // No module of the package is started by itself.
    define: { 'import.meta.main': 'false' },
    logLevel: 'warning',
    // The doctor knows the shape of a list that an adapter may not offer.
    logOverride: { 'import-is-undefined': 'silent' },
    plugins: [...plugins],
  });
  for (const { path, contents } of outputFiles) await writeChanged(path, contents);
};

/**
 * Writes lib/access/client and lib/tools/cli as a package: into <root>/dist/client/ for the whole contract, and into the
 * folder `client` of an adapter's build. It has the operations of the offer only. The client logs to a diagnostics channel
 * instead of stdout. The AWS SDK is a part of its own, which is loaded on demand. It needs the generated files in <root>.
 */
export const buildClient = async (root: string, offer: Offer): Promise<void> => {
  const dist = join(root, 'dist');
  const isWhole = offer.adapter === undefined;
  const folder = join(root, clientFolder(offer));
  const contract = isWhole ? 'contract' : `contract/${offer.folder}`;
  const generated = generatedIn(dist, [`${contract}/${clientContract}`, 'contract']);
  const clientPlugins = isWhole ? [generated] : [generated, offeredOperations(offer)];
  await bundlePart({ client: 'lib/access/client/returns-client.ts' }, folder, clientPlugins);
  const commandPlugins = [generated, packagedCommand(offer)];
  await bundlePart({ start: 'lib/tools/cli/start.ts' }, join(folder, 'cli'), commandPlugins);
  const identity = identityOf(offer);
  await writeChanged(`${folder}/cli/returns.js`, commandEntry);
  // The bundle contains commander, and its licence asks for this.
  await writeChanged(`${folder}/cli/commander-LICENSE`, await readFile('node_modules/commander/LICENSE'));
  await writeChanged(`${folder}/index.js`, entryOf(identity.name));
  await writeChanged(`${folder}/README.md`, readmeOf(identity));
  const ours = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  await writeChanged(`${folder}/package.json`, `${JSON.stringify(packageJson(ours, identity), null, 2)}\n`);
  await writeChanged(`${folder}/index.d.ts`, await readFile(join(dist, contract, 'client.d.ts')));
};

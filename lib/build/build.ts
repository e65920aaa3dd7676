import { mkdir, rm, writeFile } from 'node:fs/promises';
import { asyncApi } from '../contract/async-api.ts';
import { examplePrefix } from '../contract/event-types.ts';
import { openApi } from '../contract/openapi.ts';
import { bundle } from './bundle.ts';
import { buildClient } from './client.ts';
import { clientTypes } from './client-types.ts';
import { ways } from './functions.ts';
import { apiBody, hooksBody } from './gateway.ts';
import { roleResources } from './roles.ts';
import { writeValidators } from './validators.ts';
import { zipBundles } from './zip.ts';

/** Each deployment has its own; a document needs one. */
const tokenUrl = 'https://identity.example.com/connect/token';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Writes what is generated from lib/contract: the OpenAPI and AsyncAPI documents, the gateways' bodies, the validators, the types. */
const writeContract = async () => {
  await mkdir('dist/contract', { recursive: true });
  await mkdir('dist/gateway', { recursive: true });
  await writeFile('dist/contract/openapi.json', json(openApi(tokenUrl)));
  await writeFile('dist/contract/asyncapi.json', json(asyncApi(examplePrefix)));
  await writeFile('dist/gateway/api.json', json(apiBody()));
  await writeFile('dist/gateway/hooks.json', json(hooksBody()));
  await writeFile('dist/contract/client.d.ts', await clientTypes());
  await writeValidators();
};

const writeRoles = async () => {
  await mkdir('dist/roles', { recursive: true });
  for (const way of ways) await writeFile(`dist/roles/${way}.json`, json(roleResources(way)));
};

const contractOnly = process.argv.includes('--contract');
for (const folder of ['contract', 'gateway', 'roles', ...(contractOnly ? [] : ['client', ...ways])]) {
  await rm(`dist/${folder}`, { recursive: true, force: true });
}
await writeContract();
await writeRoles();
if (!contractOnly) {
  // For esbuild, which is written in Go: it ends before it needs the room again. Without, the build takes a fifth longer.
  process.env['GOGC'] ??= '800';
  const maps = !process.argv.includes('--without-maps');
  await Promise.all([...ways.map((way) => bundle(way, { maps })), buildClient()]);
  await Promise.all(ways.map(zipBundles));
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionFiles, ways, type Way } from '../../lib/build/functions.ts';
import { basePath } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import { platformNames } from '../../lib/runtime/platform-names.ts';

type Route = { security?: unknown };
type Body = { paths: Record<string, Record<string, Route>> };
type Properties = { Handler: string; Body?: Body };
type Template = { Resources: Record<string, { Type: string; Properties: Properties }> };

const template = (way: Way): Template =>
  JSON.parse(readFileSync(`dist/package/${way}/cloudformation-template-update-stack.json`, 'utf8')) as Template;

const handlers = (way: Way): string[] =>
  Object.values(template(way).Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties.Handler);

const bodyOf = (way: Way, api: 'Api' | 'Hooks'): Body => {
  const body = template(way).Resources[api]?.Properties.Body;
  if (body === undefined) throw new Error(`the ${way} way has no ${api}`);
  return body;
};

/** What each route of an API demands: `GET /path` and its security, undefined for none. */
const routes = (way: Way, api: 'Api' | 'Hooks') =>
  Object.fromEntries(
    Object.entries(bodyOf(way, api).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security]),
    ),
  );

const source = (way: Way, name: string) => readFileSync(`dist/${way}/${name}/index.mjs`, 'utf8');

describe('the bundle', () => {
  it.each(ways)('has one function for each operation (%s)', (way) => {
    const names = new Set(functionFiles(way).map(({ name }) => name));
    expect(Object.keys(operations).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(ways)('deploys every function file of the %s way, and nothing else', (way) => {
    expect(handlers(way).toSorted()).toEqual(
      functionFiles(way)
        .map(({ name }) => `dist/${way}/${name}/index.handler`)
        .toSorted(),
    );
  });

  it('holds only the side that its way runs', () => {
    expect(source('connected', 'createReturn')).toContain('/connect/token');
    expect(source('connected', 'createReturn')).not.toContain('TransactWriteItems');
    expect(source('standalone', 'createReturn')).toContain('TransactWriteItems');
    expect(source('standalone', 'createReturn')).not.toContain('/connect/token');
  });

  it('stays below what a stack may hold', () => {
    for (const way of ways) expect(Object.keys(template(way).Resources).length).toBeLessThan(450);
  });

  it.each(ways)('demands on every route of the api a token with the scope of its operation (%s)', (way) => {
    const expected = Object.values(operations).map(({ method, path, scope }) => [
      `${method} ${basePath}${path}`,
      scope === null ? undefined : [{ jwt: [scope] }],
    ]);
    expect(routes(way, 'Api')).toEqual(Object.fromEntries(expected));
  });

  it.each(ways)('opens the hooks, and nothing but the hooks (%s)', (way) => {
    // Each platform has routes of its own: the gateway limits the rate of each route by itself.
    const opened = [...platformNames, '{platform}']
      .flatMap((name) => [`/webhooks/${name}`, `/webhooks/${name}/{source}`])
      .flatMap((path) => [`GET ${path}`, `POST ${path}`]);
    expect(routes(way, 'Hooks')).toEqual(Object.fromEntries(opened.map((route) => [route, undefined])));
    expect(bodyOf(way, 'Hooks')).not.toHaveProperty('security');
    const apis = Object.entries(template(way).Resources).filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api');
    expect(apis.map(([name]) => name).toSorted()).toEqual(['Api', 'Hooks']);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionFiles, ways, type Way } from '../../lib/build/functions.ts';
import * as operations from '../../lib/contract/operations.ts';

type Route = { security?: unknown };
type Properties = { Handler: string; Body: { paths: Record<string, Record<string, Route>> } };
type Template = { Resources: Record<string, { Type: string; Properties: Properties }> };

const template = (way: Way): Template =>
  JSON.parse(readFileSync(`dist/package/${way}/cloudformation-template-update-stack.json`, 'utf8')) as Template;

const handlers = (way: Way): string[] =>
  Object.values(template(way).Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties.Handler);

const source = (way: Way, name: string) => readFileSync(`dist/${way}/${name}/index.mjs`, 'utf8');

describe('the bundle', () => {
  it('has one function for each operation', () => {
    const names = functionFiles().filter(({ group }) => group !== 'webhooks');
    expect(names.map(({ name }) => name).toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(ways)('deploys every function file of the %s way, and nothing else', (way) => {
    expect(handlers(way).toSorted()).toEqual(
      functionFiles()
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

  it('demands a token on every route of the api, and none on the hooks', () => {
    const { Api, Hooks } = template('standalone').Resources;
    const routes = (paths: Properties['Body']['paths'] = {}) =>
      Object.values(paths).flatMap((path) => Object.values(path));
    for (const route of routes(Api?.Properties.Body.paths))
      expect(route.security).toEqual([{ jwt: [expect.any(String)] }]);
    expect(Object.keys(Hooks?.Properties.Body.paths ?? {})).toEqual(['/webhooks/shopify']);
  });
});

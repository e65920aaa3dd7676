import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type * as declared from '../../../dist/contract/client.d.ts';
import type { ReturnsClient } from '../../../lib/access/client/methods.ts';
import type * as written from '../../../lib/access/client/public.ts';
import type { Failure } from '../../../lib/contract/result.ts';
import * as operations from '../../../lib/contract/operations.ts';
import type { OperationName } from '../../../lib/contract/contract.ts';
import { bundleRoot } from '../../support/bundles.ts';

type Primitive = string | number | boolean | null | undefined;
type Mark<T, Key extends keyof T> = object extends Pick<T, Key> ? '?' : '';
type Word<T extends Primitive> = T extends string ? (string extends T ? 'string' : `'${T}'`) : `${T}`;

/**
 * Lists all paths of a type, as texts such as `/lines[]/sku?: string`. A direct comparison would treat deep types of
 * this size as equal: the compiler gives up after a few levels.
 */
type Says<T, At extends string = ''> = unknown extends T
  ? `${At}: unknown`
  : T extends Primitive
    ? `${At}: ${Word<T>}`
    : T extends AbortSignal
      ? `${At}: signal`
      : T extends Promise<infer Value> | AsyncIterable<infer Value>
        ? Says<Value, `${At} ${T extends Promise<unknown> ? 'promises' : 'yields'} `>
        : T extends readonly (infer Member)[]
          ? Says<Member, `${At}[]`>
          :
              | `${At}: object`
              | { [Key in keyof T & string]-?: Says<T[Key], `${At}/${Key}${Mark<T, Key>}`> }[keyof T & string];

/** The paths that only one of two types has. */
type Differences<A, B> = Exclude<Says<A>, Says<B>> | Exclude<Says<B>, Says<A>>;

type Method = (...args: never) => unknown;
type Call<Called extends Method> = {
  readonly arguments: Parameters<Called>['length'];
  readonly input: Parameters<Called>[0];
  readonly options: Parameters<Called>[1];
  readonly answer: ReturnType<Called>;
};
type Calls<Methods> = { [Name in keyof Methods]: Methods[Name] extends Method ? Call<Methods[Name]> : unknown };

type Named<Name extends string, Difference> = Difference extends string ? `${Name} ${Difference}` : never;

/**
 * The differences between calls of the same names. Each call is compared separately, so that shared types are read
 * once.
 */
type CallDifferences<A, B> = {
  [Name in keyof A & keyof B & string]: Named<
    Name,
    | Differences<Omit<A[Name], 'answer'>, Omit<B[Name], 'answer'>>
    | Differences<A[Name]['answer' & keyof A[Name]], B[Name]['answer' & keyof B[Name]]>
  >;
}[keyof A & keyof B & string];

/** The other members of two clients, without the responses of their calls. */
type Surface<Client extends Pick<ReturnsClient, 'items'>, Options, Failure> = {
  readonly names: Record<keyof Client, true>;
  readonly items: Record<keyof Client['items'], true>;
  readonly options: Options;
  readonly failure: Omit<Failure, 'reason'>;
};
type Found = readonly [
  Differences<
    Surface<declared.ReturnsClient, declared.ClientOptions, declared.ClientFailure>,
    Surface<ReturnsClient, written.ClientOptions, Failure>
  >,
  CallDifferences<
    Calls<Pick<declared.ReturnsClient, keyof declared.ReturnsClient & OperationName>>,
    Calls<Pick<ReturnsClient, OperationName>>
  >,
  CallDifferences<Calls<declared.ReturnsClient['items']>, Calls<ReturnsClient['items']>>,
];

/** Fails to compile when the declarations differ from the code. */
const differences: Found extends readonly [never, never, never] ? [] : Found = [];

describe('client declarations', () => {
  it('declare the methods of the client as they are', () => {
    expect(differences).toEqual([]);
  });

  it('are published as they were checked', async () => {
    const [packaged, checked] = await Promise.all(
      ['dist/client/index.d.ts', 'dist/contract/client.d.ts'].map((file) => readFile(join(bundleRoot(), file), 'utf8')),
    );
    expect(packaged).toBe(checked);
    for (const name of Object.keys(operations)) expect(packaged).toContain(`  ${name}(input`);
  });
});

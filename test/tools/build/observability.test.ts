import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

type Function = { readonly TracingConfig?: { readonly Mode?: string } };

/** Returns the tracing modes of all functions, and the functions that may send traces. */
const tracing = async (mode: Mode, changes: Readonly<Record<string, string>> = {}) => {
  const deployment = await packaged(mode, changes);
  const functions = deployment.ofType('AWS::Lambda::Function').map(({ properties }) => properties as Function);
  const senders = [...identitiesOf(deployment, functionSpecs(deployment)).values()].filter(({ permissions }) =>
    permissions.some(({ action }) => action === 'xray:PutTraceSegments'),
  );
  return { modes: new Set(functions.map(({ TracingConfig }) => TracingConfig?.Mode)), senders: senders.length };
};

describe.each(modes)('functions of the %s mode', (mode) => {
  const count = functionFiles(offers[mode]).length;

  it('send no traces and have no permission for it by default', async () => {
    expect(await tracing(mode)).toEqual({ modes: new Set(['PassThrough']), senders: 0 });
  });

  it('are traced by Lambda, under their own roles, with Tracing xray', async () => {
    expect(await tracing(mode, { Tracing: 'xray' })).toEqual({ modes: new Set(['Active']), senders: count });
  });

  it('get OperationMetrics, and count their requests in the standalone mode if they are operations or the page', async () => {
    const specs = functionSpecs(await packaged(mode, { OperationMetrics: 'on' }));
    const valuesOf = (name: string) => new Set(specs.map(({ environment }) => environment[name]));
    expect(valuesOf('OPERATION_METRICS')).toEqual(new Set(['on']));
    const counting = specs.filter(({ environment }) => environment['REQUEST_METRICS'] === 'on').map(({ key }) => key);
    const operations = functionFiles(offers[mode])
      .filter(({ group }) => group === 'api')
      .map(({ name }) => name);
    expect(counting.toSorted()).toEqual(mode === 'standalone' ? [...operations, 'withdraw'].toSorted() : []);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statuses } from '../../../lib/domain/returns/model/status.ts';
import { expectAgreement } from './model/agree.ts';
import { edgesOf, failuresOf, type Coverage } from './model/coverage.ts';
import { allEdges, defaultEdges } from './model/edges.ts';
import { lives } from './model/steps.ts';
import { runsEveryCase } from '../../support/samples.ts';

describe('returns against the model', () => {
  it('behave exactly as an independent model of the contract, over any sequence of commands', () => {
    const coverage: Coverage = new Map();
    fc.assert(
      fc.property(lives(24), (life) => void expectAgreement(life, coverage)),
      { numRuns: runsEveryCase() ? 250 : 100, seed: 20261122 },
    );
    const edges = edgesOf(coverage);
    expect(edges.filter((edge) => !allEdges.has(edge))).toEqual([]);
    // A long run takes each edge. This run reaches every status and performs every step.
    const done = (edge: string) => edge.split(': ')[0];
    expect(new Set(edges.map(done))).toEqual(new Set(defaultEdges.map(done)));
    expect(new Set(edges.map((edge) => edge.split(' -> ')[1]))).toEqual(new Set(statuses));
    // A sample compares every failure that it meets. Only a run of all cases meets all of these.
    if (!runsEveryCase()) return;
    expect(failuresOf(coverage).map((failure) => failure.split(': ')[1])).toEqual(
      expect.arrayContaining([
        'invalid_transition',
        'inspection_pending',
        'invalid_request',
        'insufficient_scope',
        'quantity_exceeds_returnable',
        'refund_exceeds_ceiling',
        'fee_not_open',
        'recovery_exceeds_due',
        'refund_not_found',
        'exchange_not_found',
        'parcel_not_found',
      ]),
    );
  });
});

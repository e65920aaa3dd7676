import { describe, expect, it } from 'vitest';
import { StepError } from '../../../../lib/tools/local/demo/step.ts';
import { startFailure } from '../../../../lib/tools/local/demo/start-failure.ts';

const offer = {
  mode: 'connected',
  folder: 'adapters/acme',
  entries: {},
  adapter: { name: 'acme', title: 'ACME', parameters: {} },
} as const;
const ownService = {
  serviceUrl: 'https://a.example',
  authUrl: 'https://b.example',
  clientSecret: {},
  returnId: undefined,
};
const options = { dataDir: '.local', verbose: false };
const failed = new StepError(
  'Reach the service',
  ['.local/logs/connected.log:', '  {"level":"error"}'],
  new Error('answered 503'),
);

describe('text of a failed start', () => {
  it('names the command that explains the access to a service of the user', () => {
    expect(startFailure(failed, { ...options, offer, ownService }, () => [])).toBe(
      [
        '',
        'The step "Reach the service" failed.',
        '  Cause: answered 503',
        '.local/logs/connected.log:',
        '  {"level":"error"}',
        'Run npm run conform -- --adapter acme with the same --service, --auth and --secret: it says which of them is wrong.',
      ].join('\n'),
    );
  });

  it.each([
    ['a step without a service of the user', failed, { ...options, offer, ownService: undefined }],
    ['a failure of this machine', new Error('no port'), { ...options, offer, ownService }],
  ])('names logs and options for %s', (_, error, given) => {
    expect(startFailure(error, given, () => [])).toMatch(
      /\nRead \.local\/logs\/, or start again with --verbose, or --fresh, which deletes earlier data\.$/,
    );
  });
});

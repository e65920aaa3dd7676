import { describe, expect, it } from 'vitest';
import { clientSecret as good, marker, minute, second, secretNamed, secretText } from '../access/oauth/harness.ts';
import { testCertificate } from '../support/certificate.ts';
import { startOwnOutside } from '../support/lambda-runtime/own-outside.ts';
import { metricLinesOf, metricsIn, type ParsedMetrics } from '../support/metric-format.ts';
import { stack } from '../support/stack.ts';
import { inSoak, sample } from '../support/samples.ts';
import { packagedTemplate } from '../support/bundles.ts';

const someNumber: unknown = expect.any(Number);
const name = 'returns-dev-getReturn';
const next = secretNamed('two');
const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const withPair = (label: string, validTo = to) => {
  const { certificate, privateKey } = testCertificate(label, from, validTo);
  return secretText(good, { certificate, privateKey });
};

/** Starts the connected mode's getReturn from its zip, with servers of the test's own. */
const start = async ({ text = secretText(good), logLevel = 'error' } = {}) => {
  const outside = await startOwnOutside(stack(), { clientSecret: good, logLevel });
  const { container, idp, secrets } = outside;
  secrets.versions.set('AWSCURRENT', { versionId: 'v1', text });
  idp.fields['access_token'] = `token-${marker}`;
  const metricsInLog = async () => metricLinesOf(await container.log()).map(metricsIn);
  return {
    ...outside,
    log: container.log,
    /** Invokes once, after `ms` by the wall clock. Returns the metrics that were written meanwhile. */
    invoke: async (ms = 0): Promise<readonly ParsedMetrics[]> => {
      const before = (await metricsInLog()).length;
      await container.freeze();
      container.thaw(ms);
      expect(await outside.invoke(10 * second)).toMatchObject({ left: [] });
      return (await metricsInLog()).slice(before);
    },
  };
};

type Container = Awaited<ReturnType<typeof start>>;
type Case = {
  readonly metric: string;
  readonly text?: string;
  /** Before the first invocation. */
  readonly prepare?: (container: Container) => void;
  /** Between the two invocations. */
  readonly change?: (container: Container) => void;
  /** The advance of the clock in the second invocation. Without it, one invocation is enough. */
  readonly ahead?: number;
  readonly value?: number;
  /** @default 'Count' */
  readonly unit?: 'Milliseconds' | 'None';
  readonly reason?: string;
};

const rotate = ({ secrets, idp }: Container, text: string) => {
  secrets.versions.set('AWSCURRENT', { versionId: 'v2', text });
  idp.accepted.add(next);
};

// A token of 3600 s is renewed in the background at 2700 to 3060 s. It is not used from 3540 s on.
const cases: readonly Case[] = [
  { metric: 'TokenFetched', unit: 'Milliseconds' },
  { metric: 'TokenWait', unit: 'Milliseconds' },
  { metric: 'TokenAge', unit: 'Milliseconds', ahead: 2 * minute },
  // The connections to the token endpoint, and those to the API.
  { metric: 'ConnectionsReplaced', ahead: 5 * second, value: 2 },
  { metric: 'StaleTokenServed', ahead: 3_100 * second, value: 1, reason: 'StaleTokenServed soft' },
  {
    metric: 'TokenFetchFailed',
    unit: 'Milliseconds',
    prepare: ({ idp }) => void (idp.always = { status: 503, body: marker }),
    reason: 'TokenFetchFailed IdpUnavailable status_503',
  },
  {
    metric: 'IdpUnavailable',
    change: ({ idp }) => void (idp.always = { status: 503 }),
    ahead: 3_100 * second,
    value: 1,
    reason: 'IdpUnavailable status_503',
  },
  {
    metric: 'ClientRejected',
    prepare: ({ idp }) => idp.accepted.clear(),
    value: 1,
    reason: 'ClientRejected invalid_client',
  },
  {
    metric: 'TokenDenied',
    prepare: ({ idp }) => void (idp.always = { status: 200, body: marker }),
    value: 1,
    reason: 'TokenDenied IdpProtocol',
  },
  { metric: 'SecretReread', ahead: 20 * minute, value: 1, reason: 'SecretReread due' },
  {
    metric: 'LastKnownGoodSecretUsed',
    change: ({ secrets }) => void (secrets.fault = { status: 403, body: '{"__type":"AccessDeniedException"}' }),
    ahead: 20 * minute,
    value: 1,
    reason: 'LastKnownGoodSecretUsed AccessDeniedException',
  },
  {
    metric: 'PreviousSecretUsed',
    text: secretText(secretNamed('too new')),
    prepare: ({ secrets }) => secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(good) }),
    value: 1,
    reason: 'PreviousSecretUsed AWSPREVIOUS',
  },
  {
    metric: 'SecretNotAdopted',
    change: (container) => rotate(container, '{}'),
    ahead: 20 * minute,
    value: 1,
    reason: 'SecretNotAdopted malformed clientId',
  },
  {
    metric: 'CertificateReplaced',
    text: withPair('first'),
    change: (container) => rotate(container, withPair('second')),
    ahead: 20 * minute,
    value: 1,
  },
  {
    metric: 'CertificateNotAdopted',
    text: withPair('first'),
    change: (container) => rotate(container, withPair('expired', Date.UTC(2021, 0))),
    ahead: 20 * minute,
    value: 1,
    reason: 'CertificateNotAdopted expired',
  },
  {
    metric: 'CertificateInvalid',
    text: withPair('expired', Date.UTC(2021, 0)),
    value: 1,
    reason: 'CertificateInvalid expired',
  },
  {
    metric: 'CertificateDaysLeft',
    unit: 'None',
    text: withPair('soon', Date.now() + 10 * 24 * 60 * minute + 5 * minute),
    value: 10,
  },
  {
    metric: 'CertificateExpired',
    text: withPair('soon', Date.now() + 10 * minute),
    ahead: 11 * minute,
    value: 1,
  },
  {
    metric: 'Api401',
    prepare: ({ answers }) => void answers.push({ status: 401, body: marker }),
    value: 1,
    reason: 'Api401 token replaced',
  },
  {
    metric: 'ApiUnauthorized',
    prepare: ({ answers }) => void answers.push({ status: 401 }, { status: 401 }, { status: 401 }),
    value: 1,
    reason: 'ApiUnauthorized given up',
  },
];

describe.concurrent('deployed function', () => {
  it.each(sample(cases, 10, 2))(
    'publishes $metric',
    async ({ metric, unit = 'Count', text, prepare, change, ahead, value, reason }) => {
      await using container = await start(text === undefined ? {} : { text });
      prepare?.(container);
      let lines = await container.invoke();
      if (ahead !== undefined) {
        change?.(container);
        lines = await container.invoke(ahead);
      }
      expect(lines).toHaveLength(1);
      const [metricLine] = lines;
      expect((await container.log()).includes(`"FunctionName":"${name}"`)).toBe(true);
      expect(metricLine).toMatchObject({
        namespace: 'Returns',
        dimensions: [{ Deployment: 'returns-dev' }],
        reasons: expect.arrayContaining(reason === undefined ? [] : [reason]),
      });
      expect(metricLine?.metrics[metric]).toEqual([value ?? someNumber]);
      expect(metricLine?.units[metric]).toBe(unit);
      expect(await container.log()).not.toMatch(new RegExp(`${marker}|BEGIN`));
    },
  );

  it('publishes the metrics that the alarms of its stack watch, by their dimension', async () => {
    const { Resources } = await packagedTemplate('connected');
    // Schedules and the access log have tests of their own.
    const others = new Set([
      'ChainBroken',
      'VerificationLate',
      'RefundsOverdue',
      'RequestsThrottled',
      'SubscriptionsMissing',
    ]);
    const watched = Object.values(Resources).flatMap(({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' && Properties?.['Namespace'] === 'Returns' ? [Properties] : [],
    );
    const names = watched.map(({ MetricName }) => String(MetricName)).filter((metric) => !others.has(metric));
    expect(names).toEqual(expect.arrayContaining(['CertificateNotAdopted', 'ClientRejected', 'CertificateInvalid']));
    expect(names.filter((metric) => !cases.some((one) => one.metric === metric))).toEqual([]);
    const own = watched.filter(({ MetricName }) => MetricName !== 'RequestsThrottled');
    const deployment = [{ Name: 'Deployment', Value: { 'Fn::Sub': 'returns-${Stage}' } }];
    expect(own.map(({ Dimensions }) => Dimensions)).toEqual(own.map(() => deployment));
  });

  it('writes metrics of warm calls at most once a minute', async () => {
    await using container = await start();
    expect(await container.invoke()).toHaveLength(1);
    for (let count = 0; count < 3; count += 1) expect(await container.invoke()).toEqual([]);
    const [metricLine] = await container.invoke(61 * second);
    expect(metricLine?.metrics['TokenAge']).toHaveLength(4);
  });

  it('logs each access event at LOG_LEVEL=debug, and no secret', async () => {
    await using container = await start({ text: withPair('first'), logLevel: 'debug' });
    await container.invoke();
    await container.invoke();
    const log = await container.log();
    const said = log
      .split('\n')
      .filter((line) => line.startsWith('{"level":"debug"'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(said).toEqual([
      'token requested',
      'secret read',
      'client certificate adopted',
      'token request ended',
      'token awaited',
      'token served',
    ]);
    expect(log).not.toMatch(new RegExp(`${marker}|BEGIN`));
  });

  it.each(inSoak('logs no access event at LOG_LEVEL=info'))('%s', async () => {
    await using container = await start({ logLevel: 'info' });
    await container.invoke();
    await container.invoke();
    const log = await container.log();
    expect(log).not.toContain('"debug"');
    expect(log).toContain('"level":"info"');
  });
});

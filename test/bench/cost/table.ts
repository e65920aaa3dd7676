/*
 * The cost of a month from measured consumption and list prices. It is pure: the command measures, and a test compares
 * the guide with this table.
 */

type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Milliseconds of invocations are against local engines, and calls of AWS are those of the functions. */
type Both = 'localMs' | 'awsCalls' | 'writeUnits' | 'readUnits' | 'logBytes';

/**
 * What one return consumes, on average. Sent bytes are those of answers and webhooks. Stored bytes are those of all items
 * in the table, without its indexes.
 */
type PerReturn = Figures<
  Both | 'apiRequests' | 'invocations' | 'sqsRequests' | 'busEvents' | 'sentBytes' | 'storedBytes'
>;

/** What a month consumes without any return: the schedules, and what is priced by the month. */
type PerMonth = Figures<Both | 'scheduledRuns' | 'queues' | 'alarms' | 'metrics' | 'secrets'>;

export type Measured = { readonly perReturn: PerReturn; readonly perMonth: PerMonth };

export type Prices = {
  readonly asOf: string;
  readonly region: string;
  readonly prices: Readonly<Record<string, { readonly usd: number; readonly source: string }>>;
};

/** What the measurement cannot know. The guide names each assumption. */
export const assumptions = {
  /** Milliseconds that a call of AWS takes longer than one of a local engine. */
  awsCallMs: 5,
  memoryGb: 1,
  /** Months for which returns are stored. */
  storedMonths: 12,
  /** The factor of stored bytes with the indexes of the table. */
  indexFactor: 1.5,
  /** Receives of empty queues: five pollers of each queue, one receive in 20 s each. */
  emptyReceivesPerQueue: (5 * 30 * 86_400) / 20,
} as const;

/** Returns a month. */
const volumes = [1_000, 100_000, 10_000_000] as const;

const gigabyte = 1e9;

export type Row = { readonly name: string; readonly usd: number };

/** Returns the cost of a month with this number of returns, by what is priced. */
export const costOf = ({ perReturn, perMonth }: Measured, { prices }: Prices, returns: number): readonly Row[] => {
  const price = (name: string): number => {
    const found = prices[name];
    if (found === undefined) throw new Error(`the prices have no ${name}`);
    return found.usd;
  };
  const millions = (name: string, count: number): number => (count / 1e6) * price(name);
  const both = (name: Both): number => returns * perReturn[name] + perMonth[name];
  const seconds = (both('localMs') + both('awsCalls') * assumptions.awsCallMs) / 1_000;
  const invocations = returns * perReturn.invocations + perMonth.scheduledRuns;
  const storedGb = (returns * perReturn.storedBytes * assumptions.indexFactor * assumptions.storedMonths) / gigabyte;
  const sqsRequests = returns * perReturn.sqsRequests;
  const receives = perMonth.queues * assumptions.emptyReceivesPerQueue;
  return [
    { name: 'API Gateway, requests', usd: millions('httpApiPerMillion', returns * perReturn.apiRequests) },
    { name: 'Lambda, requests', usd: millions('lambdaPerMillion', invocations) },
    { name: 'Lambda, duration', usd: seconds * assumptions.memoryGb * price('lambdaArmPerGbSecond') },
    { name: 'DynamoDB, writes', usd: millions('writeUnitsPerMillion', both('writeUnits')) },
    { name: 'DynamoDB, reads', usd: millions('readUnitsPerMillion', both('readUnits')) },
    { name: 'DynamoDB, storage of a year', usd: storedGb * price('tablePerGbMonth') },
    { name: 'DynamoDB, backup of a year', usd: storedGb * price('backupPerGbMonth') },
    {
      name: 'SQS, requests',
      // Messages of the outbox have a group, which has a price of its own.
      usd: millions('sqsPerMillion', sqsRequests + receives) + millions('sqsFairPerMillion', sqsRequests),
    },
    { name: 'EventBridge, events', usd: millions('eventsPerMillion', returns * perReturn.busEvents) },
    { name: 'EventBridge, schedules', usd: millions('schedulerPerMillion', perMonth.scheduledRuns) },
    { name: 'CloudWatch, logs', usd: (both('logBytes') / gigabyte) * price('logsPerGb') },
    {
      name: 'CloudWatch, alarms and metrics',
      usd: perMonth.alarms * price('alarmPerMonth') + perMonth.metrics * price('metricPerMonth'),
    },
    { name: 'Secrets Manager', usd: perMonth.secrets * price('secretPerMonth') },
    { name: 'data transfer', usd: ((returns * perReturn.sentBytes) / gigabyte) * price('transferPerGb') },
  ];
};

const dollars = (usd: number): string => {
  const digits = usd >= 100 ? 0 : 2;
  return usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

const total = (rows: readonly Row[]): number => rows.reduce((sum, { usd }) => sum + usd, 0);

const rounded = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });

const rowOf = (name: string, values: readonly string[]): string => `| ${name} | ${values.join(' | ')} |`;

/** Returns the table of the cost in Markdown: a row for what is priced, a column for each volume. */
export const costTable = (measured: Measured, prices: Prices): string => {
  const columns = volumes.map((returns) => ({ returns, rows: costOf(measured, prices, returns) }));
  const line = (name: string, cell: (column: (typeof columns)[number]) => string) => rowOf(name, columns.map(cell));
  return [
    `Prices of ${prices.region} in USD as of ${prices.asOf}, without free tiers, discounts and taxes.`,
    '',
    line('a month', ({ returns }) => `${returns.toLocaleString('en-US')} returns`),
    line('---', () => '---:'),
    ...(columns[0]?.rows ?? []).map(({ name }, index) => line(name, ({ rows }) => dollars(rows[index]?.usd ?? 0))),
    line('**total**', ({ rows }) => `**${dollars(total(rows))}**`),
    line('a return', ({ rows, returns }) => (total(rows) / returns).toFixed(5)),
  ].join('\n');
};

/** Returns the table of the measured consumption in Markdown. */
const consumptionTable = ({ perReturn, perMonth }: Measured): string => {
  const rows: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ['requests of the API', perReturn.apiRequests, undefined],
    ['invocations', perReturn.invocations, perMonth.scheduledRuns],
    ['ms of all invocations, local engines', perReturn.localMs, perMonth.localMs],
    ['calls of AWS', perReturn.awsCalls, perMonth.awsCalls],
    ['write units', perReturn.writeUnits, perMonth.writeUnits],
    ['read units', perReturn.readUnits, perMonth.readUnits],
    ['requests of SQS', perReturn.sqsRequests, undefined],
    ['events on the bus', perReturn.busEvents, undefined],
    ['bytes of logs', perReturn.logBytes, perMonth.logBytes],
    ['bytes of answers and webhooks', perReturn.sentBytes, undefined],
    ['bytes in the table', perReturn.storedBytes, undefined],
    ['alarms', undefined, perMonth.alarms],
    ['metrics', undefined, perMonth.metrics],
    ['secrets', undefined, perMonth.secrets],
  ];
  const cell = (value: number | undefined): string => (value === undefined ? '' : rounded(value));
  return [
    '| measured | a return | a month without returns |',
    '|---|---:|---:|',
    ...rows.map(([name, one, fixed]) => rowOf(name, [cell(one), cell(fixed)])),
  ].join('\n');
};

/** Returns the block of the guide: the table of the cost, and that of the measured consumption. */
export const costBlock = (measured: Measured, prices: Prices): string =>
  [costTable(measured, prices), consumptionTable(measured)].join('\n\n');

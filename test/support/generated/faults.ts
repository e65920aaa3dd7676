import type { Answerable, ApiDocument } from './document.ts';
import type { Answer, Request } from './request.ts';

type Fault = { readonly path: string; readonly code: string; readonly message?: string };
type Problem = {
  readonly type?: string;
  readonly status?: number;
  readonly code?: string;
  readonly errors?: readonly Fault[];
};

/** Units that exceed those of the return. */
const unfitUnits: readonly (readonly [path: RegExp, code: string])[] = [
  [/^\/lines\/\d+\/quantity$/, 'maximum'],
  [/^\/lines\/\d+\/lineId$/, 'duplicate'],
  [/^\/lines$/, 'required'],
  [/^\/lines$/, 'minimum'],
];

/** A fact needs a return that a platform manages, and a time in the past. */
const unfitFact: readonly (readonly [path: RegExp, code: string])[] = [
  [/^\/observed\/platform$/, 'enum'],
  [/^\/observed$/, 'unexpected'],
  [/^\/observed\/occurredAt$/, 'maximum'],
  [/^\/observed\/platform$/, 'enum'],
];

/** Units that a parcel cannot hold. */
const unfitContents: typeof unfitUnits = [
  [/^\/contents\/\d+\/quantity$/, 'maximum'],
  [/^\/contents\/\d+\/lineId$/, 'duplicate'],
];

/** Fields that a part of the money for the goods excludes. */
const besideAmount: typeof unfitUnits = [[/^\/(lines|shipping|charges)$/, 'not_allowed']];
/** A payment that is made already needs its reference, and a time that has passed. */
const unfitResult: typeof unfitUnits = [
  [/^\/result\/providerRef$/, 'required'],
  [/^\/result\/occurredAt$/, 'maximum'],
];

/** Facts of an order that contradict each other. */
const unfitOrder: typeof unfitUnits = [
  [/^\/observedAt$/, 'maximum'],
  [/^\/currency$/, 'unknown'],
  [/^\/(destination\/)?country$/, 'unknown'],
  [/^\/lines$/, 'max_items'],
  [/^\/lines(\/\d+)?$/, 'maximum'],
  [/^\/lines\/\d+\/lineId$/, 'duplicate'],
  [/^\/lines(\/\d+\/(discountTotal|taxTotal|fulfilledQuantity|deliveries))?$/, 'maximum'],
  [/^\/(lines\/\d+|charges\/\d+|shipping)\/taxes$/, 'total'],
  [/^\/(lines\/\d+\/taxTotal|(charges\/\d+|shipping)\/tax)$/, 'required'],
  [/^\/payments$/, 'required'],
  [/^\/charges\/\d+\/name$/, 'required'],
];

/** A refund that does not fit its order. */
const unfitRefund: typeof unfitUnits = [
  [/^\/amount$/, 'minimum'],
  [/^\/occurredAt$/, 'maximum'],
  [/^\/lines\/\d+\/(quantity|tax)$/, 'maximum'],
  [/^\/lines\/\d+\/amount$/, 'required'],
  [/^\/lines\/\d+\/orderLineId$/, 'duplicate'],
  [/^\/returnId$/, 'unknown'],
  [/^\/returnId$/, 'max_items'],
];

/** The limits of a part of an input that is an input of its own. */
const under = (path: string, limits: typeof unfitUnits): typeof unfitUnits =>
  limits.map(([pattern, code]) => [new RegExp(pattern.source.replace('^', `^${path}`)), code]);

/**
 * Limits of an input beyond its schema, by operation: the place of the field error and its code. A request that fits
 * the document may be rejected as `invalid_request` only for these.
 */
const beyondSchema: Readonly<Record<string, readonly (readonly [path: RegExp, code: string])[]>> = {
  registerOrder: unfitOrder,
  recordRefund: unfitRefund,
  importReturn: [
    ...under('/order/facts', unfitOrder),
    ...under('/refund', unfitRefund),
    [/^\/refund$/, 'unexpected'],
    [/^\/(requested|decided|received|ended)At$/, 'maximum'],
    [/^\/(decided|received|ended)At$/, 'minimum'],
    [/^\/lines\/\d+\/(received|kept)$/, 'maximum'],
    [/^\/lines\/\d+\/reason\/note$/, 'required'],
  ],
  updateReturn: [[/^\/metadata$/, 'max_properties']],
  // The command decides about its body.
  createBulk: [
    [/^\/items\/\d+\/returnId$/, 'duplicate'],
    ...['required', 'unknown_field', 'type'].map((code) => [/^\/body\/.*$/, code] as const),
  ],
  createReturn: [...unfitFact, [/^\/lines\/\d+\/reason\/note$/, 'required'], [/^\/eligibilityToken$/, 'token']],
  approve: [...unfitUnits, ...unfitFact],
  reject: unfitFact,
  amendReturn: [
    ...unfitFact,
    [/^\/add$/, 'required'],
    [/^\/(add|unexpected)\/\d+\/reason\/note$/, 'required'],
    [/^\/(add|raise|unexpected)\/\d+$/, 'max_items'],
    [/^\/(add|raise|unexpected)\/\d+\/override$/, 'status'],
    [/^\/raise\/\d+\/lineId$/, 'duplicate'],
    [/^\/unexpected\/\d+\/id$/, 'disposed'],
    [/^\/unexpected\/\d+\/quantity$/, 'maximum'],
  ],
  addParcel: [...unfitContents, ...unfitFact, [/^\/returnId$/, 'max_items']],
  updateParcel: [...unfitContents, ...unfitFact],
  receive: [
    ...unfitFact,
    [/^\/lines$/, 'required'],
    [/^\/parcelId$/, 'unknown'],
    [/^\/lines\/\d+\/lineId$/, 'duplicate'],
    [/^\/unexpected$/, 'max_items'],
  ],
  receiveAndRefund: unfitResult,
  closeReceipt: [...unfitUnits, ...unfitFact],
  complete: unfitFact,
  inspect: [
    ...unfitFact,
    ...unfitUnits,
    [/^\/lines\/\d+\/disposition$/, 'required'],
    [/^\/lines\/\d+\/deductionBps$/, 'maximum'],
    [/^\/lines$/, 'max_items'],
    [/^\/unexpected\/\d+\/id$/, 'duplicate'],
  ],
  grant: [...unfitUnits, ...unfitFact],
  exchange: [...unfitFact, [/^\/newItem\/price\/amount$/, 'maximum']],
  exchangeResult: unfitFact,
  cancel: [...unfitUnits, ...unfitFact],
  refund: [...besideAmount, ...unfitResult, [/^\/lines\/\d+\/lineId$/, 'duplicate'], [/^\/returnId$/, 'max_items']],
  compensate: [
    ...unfitResult,
    [/^\/lineId$/, 'required'],
    [/^\/(lineId|quantity)$/, 'not_allowed'],
    [/^\/quantity$/, 'maximum'],
    [/^\/returnId$/, 'max_items'],
  ],
  recordRefundResult: [...unfitFact, [/^\/occurredAt$/, 'maximum'], [/^\/status$/, 'max_items']],
  recordRecovery: [[/^\/returnId$/, 'max_items']],
  quoteReturn: [
    ...besideAmount,
    [/^\/lines\/\d+\/lineId$/, 'duplicate'],
    [/^$/, 'required'],
    [/^\/request\/lines\/\d+\/reason\/note$/, 'required'],
  ],
  correct: [
    [/^\/lines\/\d+(\/(received|missing|accepted|refused))?$/, 'minimum'],
    [/^\/lines\/\d+$/, 'maximum'],
    [/^\/lines\/\d+$/, 'unchanged'],
    [/^\/lines\/\d+\/lineId$/, 'duplicate'],
    [/^\/lines$/, 'max_items'],
  ],
  createPolicy: [
    [/^\/document$/, 'required'],
    [/^\/template$/, 'unexpected'],
  ],
  saveDraft: [
    [/^\/document$/, 'required'],
    [/^\/copyOf$/, 'unexpected'],
  ],
  backtestDraft: [
    [/^\/from$/, 'minimum'],
    [/^\/from$/, 'maximum'],
  ],
  createExport: [[/^\/from$/, 'maximum']],
  eraseCustomer: [
    [/^\/(customerId|platform)$/, 'required'],
    [/^\/(orderId|withdrawalId|platform)$/, 'unexpected'],
  ],
  declareWithdrawal: [
    [/^\/(declaredAt|source)$/, 'required'],
    [/^\/declaredAt$/, 'minimum'],
    [/^\/declaredAt$/, 'maximum'],
  ],
  recordReceiptSent: [
    [/^\/sentAt$/, 'minimum'],
    [/^\/sentAt$/, 'maximum'],
  ],
  matchWithdrawal: [[/^\/lines\/\d+\/orderLineId$/, 'unique']],
  publish: [[/^\/effective(From|Until)$/, 'minimum']],
  archive: [[/^\/at$/, 'minimum']],
  putReason: [[/^\/code$/, 'max_items']],
  setWriteBack: [[/^\/dailyRefunds\/\d+\/currency$/, 'duplicate']],
  getReturn: [[/^\/asOf$/, 'maximum']],
  getAnalytics: [
    [/^\/requested(From|To)$/, 'format'],
    [/^\/requestedFrom$/, 'minimum'],
    [/^\/requestedFrom$/, 'maximum'],
  ],
  listInboxDeliveries: [[/^\/platform$/, 'required']],
  replayRange: [[/^\/platform$/, 'required']],
  listReturns: [
    // An order is identified by both.
    [/^\/platform$/, 'required'],
    [/^\/sort$/, 'enum'],
  ],
};

/** An integration puts its client before the represented person. A value that is already a pair can become too long. */
const isLongPair = ({ headers }: Request, { path, code }: Fault): boolean =>
  path === 'header:Returns-On-Behalf-Of' && code === 'pattern' && (headers['returns-on-behalf-of'] ?? '').includes('/');

/**
 * Returns whether a failure is about the form of a request. A documented request gets none of them. Some commands need
 * one more scope in some states, so 403 is not included.
 */
const isFormal = (status: number, { code = '' }: Problem): boolean =>
  [401, 415, 428].includes(status) || ['invalid_request', 'idempotency_key_required'].includes(code);

const stack = /\\n {4}at |\.m?[jt]s:\d+:\d+|node_modules/;
const mark = /marker/i;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const mediaTypeOf = ({ headers }: Answer) => headers['content-type']?.split(';')[0] ?? 'none';

const shapeFaults = (answer: Answer, { content, headers }: Answerable): string[] => {
  const validate = content.get(mediaTypeOf(answer));
  if (validate === undefined) return [`content type ${mediaTypeOf(answer)} is not documented for ${answer.status}`];
  const shape = validate(parse(answer.text))
    ? []
    : (validate.errors ?? []).map(
        (error) => `body ${error.instancePath} ${error.message ?? error.keyword} ${JSON.stringify(error.params)}`,
      );
  const wrong = headers.filter(({ name, required, validate: isValid }) => {
    const value = answer.headers[name.toLowerCase()];
    return value === undefined ? required : !isValid(value);
  });
  return [...shape, ...wrong.map(({ name }) => `header ${name} is missing or not as documented`)];
};

const successFaults = ({ kind }: Request, { headers, text }: Answer, { operations }: ApiDocument): string[] => {
  const view = (parse(text) ?? {}) as { version?: number; revision?: number };
  const version = view.revision ?? view.version;
  const { etag, location } = headers;
  const isResource = operations.some(
    ({ method, path }) =>
      method === 'GET' && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(location ?? ''),
  );
  return [
    ...(etag === undefined || etag === `"${version}"` ? [] : [`ETag ${etag} of version ${version}`]),
    ...(location !== undefined && !isResource ? [`Location ${location} is no path of the document`] : []),
    ...(kind === 'again' && headers['idempotency-replayed'] !== 'true'
      ? ['done a second time under the same key']
      : []),
  ];
};

/** The syntax of a regular expression: classes, groups, escapes, repetitions, anchors. */
const expression = /\\[dwsx]|\[[^\]]*-[^\]]*\]|\(\?[:=!]|\{\d+,?\d*\}|\^|\$$/;

/** The page of an error code, with an origin where a domain received the request. */
const typePattern = /^(https?:\/\/[^/]+)?\/docs\/errors\/[a-z_]+$/;

const problemFaults = ({ status, headers }: Answer, problem: Problem, { description }: Answerable): string[] => [
  ...(problem.status === status ? [] : [`problem of status ${problem.status}`]),
  ...(typePattern.test(problem.type ?? '') && problem.type?.endsWith(`/${problem.code}`)
    ? []
    : [`type ${problem.type} of ${problem.code}`]),
  ...(description.includes(`\`${problem.code}\``) ? [] : [`${problem.code} is not documented for ${status}`]),
  ...(headers['cache-control'] === 'no-store' ? [] : ['a problem without Cache-Control: no-store']),
  ...(problem.errors ?? []).flatMap(({ path, message = '' }) =>
    expression.test(message) ? [`a regular expression for ${path}: ${message}`] : [],
  ),
];

const leaks = ({ operation }: Request, { status, text }: Answer): string[] => [
  ...(stack.test(text) ? ['a stack trace'] : []),
  ...(mark.test(text) && (operation.method !== 'GET' || status >= 400) ? ['what a person wrote comes back'] : []),
];

const isExplained = (request: Request, { errors = [] }: Problem): boolean =>
  errors.length > 0 &&
  errors.every(
    (fault) =>
      isLongPair(request, fault) ||
      (beyondSchema[request.operation.id] ?? []).some(
        ([pattern, word]) => pattern.test(fault.path) && word === fault.code,
      ),
  );

/** Returns the faults of an acceptance or a failure that should be the opposite. */
const verdictFaults = (request: Request, answer: Answer, problem: Problem): string[] => {
  const { failures } = request;
  const { status } = answer;
  const byGateway = status >= 400 && mediaTypeOf(answer) === 'application/json';
  const verdict = `${status} ${byGateway ? 'gateway' : (problem.code ?? '')}`.trim();
  if (failures === undefined) {
    const wronged = byGateway || (isFormal(status, problem) && !isExplained(request, problem));
    if (request.impossible.includes(problem.code ?? '')) return [`rejected with ${verdict}, though it is there`];
    return wronged ? [`rejected with ${verdict}, though it is as documented`] : [];
  }
  if (status < 400) return [`accepted with ${status}, though it is not as documented`];
  return failures.includes(verdict) || failures.includes(String(status))
    ? []
    : [`rejected with ${verdict} instead of ${failures.join(' or ')}`];
};

/** Returns the faults of a response, by the document and by its request. */
export const faultsOf = (request: Request, answer: Answer, document: ApiDocument): string[] => {
  const { status } = answer;
  const documented = request.operation.responses.get(String(status));
  const problem = (status < 400 ? {} : (parse(answer.text) ?? {})) as Problem;
  return [
    ...(status >= 500 ? [`failed with ${status}`] : []),
    ...(documented === undefined ? [`status ${status} is not documented`] : shapeFaults(answer, documented)),
    ...(documented !== undefined && mediaTypeOf(answer) === 'application/problem+json'
      ? problemFaults(answer, problem, documented)
      : []),
    ...(status < 300 ? successFaults(request, answer, document) : []),
    ...leaks(request, answer),
    ...verdictFaults(request, answer, problem),
  ];
};

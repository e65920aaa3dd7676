import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isObject, parseObject } from '../../../runtime/json.ts';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { region } from '../../template/cloudformation/template.ts';
import { assertKnownProperties } from '../known-properties.ts';
import { closeServer, listen } from '../ports.ts';
import { forPrograms } from './web-page.ts';

/*
 * The part of SES that the bundle uses. It sends nothing: it stores the last mails for inspection, GET /mails?after=<number>.
 * Mails to the addresses of the mailbox simulator bounce, or cause a complaint.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */

/** A stored mail, and its number since the start of the stack, from 1. */
export type StoredMail = {
  readonly number: number;
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

/** Reports an event of a mail on the default bus. */
export type ReportFeedback = (detailType: string, detail: Readonly<Record<string, unknown>>) => void;

type Answer = { readonly status: number; readonly type?: string; readonly body: object };

/** The path of SendEmail. */
export const sendEmailPath = '/v2/email/outbound-emails';

/** The domain that is verified in each stack. */
const verifiedDomain = 'shop.example';

const maxStoredMails = 1_000;
const maxTagLetters = 256;

const failure = (status: number, type: string, message: string): Answer => ({ status, type, body: { message } });
const invalid = (message: string): Answer => failure(400, 'BadRequestException', message);

type SendEmail = {
  readonly FromEmailAddress?: string;
  readonly Destination?: { readonly ToAddresses?: readonly string[] };
  readonly Content?: {
    readonly Simple?: {
      readonly Subject?: { readonly Data?: string };
      readonly Body?: { readonly Text?: { readonly Data?: string } };
    };
  };
  readonly ConfigurationSetName?: string;
  readonly EmailTags?: readonly { readonly Name: string; readonly Value: string }[];
};

const known: ReadonlySet<string> = new Set([
  'FromEmailAddress',
  'Destination',
  'Content',
  'ConfigurationSetName',
  'EmailTags',
]);

/** The simulated feedback of a mailbox, by its name, which may have a label. */
const feedback = {
  bounce: {
    matching: 'bounce',
    detailType: 'Email Bounced',
    detail: { eventType: 'Bounce', bounce: { bounceType: 'Permanent', bounceSubType: 'General' } },
  },
  complaint: {
    matching: 'complaint',
    detailType: 'Email Complaint Received',
    detail: { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' } },
  },
} as const;

/** The events that a configuration set reports, by its name. */
type ConfigurationSets = Map<string, Set<string>>;

/** Returns what SES rejects, or the parts of the mail. */
const mailIn = (request: SendEmail, sets: ConfigurationSets): Answer | Omit<StoredMail, 'number' | 'messageId'> => {
  const unknown = Object.keys(request).find((name) => !known.has(name));
  if (unknown !== undefined) return invalid(`The local stack does not know ${unknown}.`);
  const { FromEmailAddress: from = '', Destination: { ToAddresses = [] } = {}, Content, EmailTags = [] } = request;
  const { Subject: { Data: subject } = {}, Body: { Text: { Data: words } = {} } = {} } = Content?.Simple ?? {};
  const [to, ...others] = ToAddresses;
  if (to === undefined || others.length > 0) return invalid('The local stack sends to one address.');
  if (!/^[\x21-\x7e]{1,64}@[a-z0-9.-]{1,255}$/i.test(to)) return invalid('Illegal address');
  if (subject === undefined || words === undefined)
    return invalid('Content must have Simple with a subject and a text.');
  if (
    EmailTags.some(
      (tag) => ![tag.Name, tag.Value].every((word) => /^[\w.@-]+$/.test(word) && word.length <= maxTagLetters),
    )
  )
    return invalid('Invalid tag');
  if (!sets.has(request.ConfigurationSetName ?? ''))
    return failure(404, 'NotFoundException', `Configuration set <${request.ConfigurationSetName}> does not exist.`);
  return from.endsWith(`@${verifiedDomain}`)
    ? { from, to, subject, text: words }
    : failure(
        400,
        'MessageRejected',
        `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${from}`,
      );
};

/** Starts the emulator of SES. It accepts every caller: the guard is in front of it. */
export const startSes = async (port: number, report: ReportFeedback) => {
  const sets: ConfigurationSets = new Map();
  const stored: StoredMail[] = [];
  let count = 0;

  const simulate = ({ ConfigurationSetName: set = '', EmailTags = [] }: SendEmail, mail: StoredMail): void => {
    const [, name = ''] = /^(bounce|complaint)(?:\+[^@]*)?@simulator\.amazonses\.com$/.exec(mail.to) ?? [];
    const simulated = Object.entries(feedback).find(([mailbox]) => mailbox === name)?.[1];
    if (simulated === undefined || sets.get(set)?.has(simulated.matching) !== true) return;
    const tags = {
      'ses:configuration-set': [set],
      ...Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, [Value]])),
    };
    const { messageId, from, to } = mail;
    report(simulated.detailType, { ...simulated.detail, mail: { messageId, source: from, destination: [to], tags } });
  };

  const send = (body: string): Answer => {
    const request = parseObject(body);
    if (!isObject(request)) return failure(400, 'SerializationException', 'The request was not understood.');
    const mail = mailIn(request, sets);
    if ('status' in mail) return mail;
    count += 1;
    const numbered = { number: count, messageId: `${randomUUID()}-000000`, ...mail };
    stored.push(numbered);
    if (stored.length > maxStoredMails) stored.shift();
    simulate(request, numbered);
    return { status: 200, body: { MessageId: numbered.messageId } };
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    if (request.method === 'POST' && pathname === sendEmailPath) return send(await text(request));
    const after = searchParams.get('after') ?? '0';
    return request.method === 'GET' && pathname === '/mails' && /^\d{1,15}$/.test(after)
      ? { status: 200, body: { mails: stored.filter(({ number }) => number > Number(after)) } }
      : failure(404, 'UnknownOperationException', 'The local stack knows SendEmail, and GET /mails?after=<number>.');
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, type, body } = await answer(request);
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(type !== undefined && { 'x-amzn-errortype': type }),
      })
      .end(JSON.stringify(body));
  };

  /** @throws for a property that the local stack does not support */
  const create = (configurationSets: readonly Deployed[], destinations: readonly Deployed[]): void => {
    for (const { logicalId, local, properties } of configurationSets) {
      assertKnownProperties(properties, new Set(['Name', 'SuppressionOptions']), `/Resources/${logicalId}/Properties`);
      sets.set(local.ref, new Set());
    }
    for (const { properties } of destinations) {
      const { ConfigurationSetName, EventDestination } = properties as {
        readonly ConfigurationSetName: string;
        readonly EventDestination: { readonly MatchingEventTypes: readonly string[] };
      };
      for (const type of EventDestination.MatchingEventTypes) sets.get(ConfigurationSetName)?.add(type);
    }
  };

  const server = createServer(forPrograms(serve));
  const url = await listen(server, port);
  return { url, createConfigurationSets: create, close: async () => closeServer(server) };
};

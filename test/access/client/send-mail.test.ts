import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mailRequest, sendMail } from '../../../lib/access/client/send-mail.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { accepted, mailVariables, rejected, startSes } from '../../service/mails/ses-world.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import type { Answer } from '../../support/http-server.ts';

afterEach(restoreEnvironment);

const mail = {
  to: 'ada@example.com',
  subject: 'A sua devolução RMA-1 está aprovada',
  text: 'Olá.\n\nEnvie-nos o pacote.',
  eventId: 'evt_01KAJ5B7D9F1H3K5M7P9R1T3V5',
};

const sesWith = async (...answers: readonly Answer[]) => {
  const server = await startSes(...answers);
  startContainer();
  stubEnvironment(mailVariables(server.origin));
  return server;
};

const send = async (signal = new AbortController().signal) => sendMail(mail, signal);

describe('mailRequest', () => {
  it('is a plain text to one address, with the id of the event as its tag', () => {
    expect(mailRequest(mail, { sender: 'returns@shop.example', configurationSet: 'returns-prod' })).toEqual({
      FromEmailAddress: 'returns@shop.example',
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: mail.subject, Charset: 'UTF-8' },
          Body: { Text: { Data: mail.text, Charset: 'UTF-8' } },
        },
      },
      ConfigurationSetName: 'returns-prod',
      EmailTags: [{ Name: 'event', Value: mail.eventId }],
    });
  });
});

describe('sendMail', () => {
  it('signs one request to SES, and returns the id of the mail', async () => {
    const ses = await sesWith(accepted('id-1'));
    expect(await send()).toEqual({ ok: true, value: { messageId: 'id-1' } });
    expect(ses.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v2/email/outbound-emails',
        headers: {
          authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-central-1\/ses\//),
        },
      },
    ]);
    expect(JSON.parse(ses.requests[0]?.body ?? '')).toMatchObject({ FromEmailAddress: 'returns@shop.example' });
  });

  it.each<[string, Answer, string, isRejection?: boolean]>([
    ['throttling', rejected(429, 'TooManyRequestsException'), 'TooManyRequestsException'],
    ['an unverified sender', rejected(400, 'MessageRejected'), 'MessageRejected'],
    ['a paused account', rejected(400, 'SendingPausedException:'), 'SendingPausedException'],
    ['a missing configuration set', rejected(404, 'NotFoundException'), 'NotFoundException'],
    [
      'a name with a namespace',
      { status: 403, body: '{"__type":"com.amazon#AccessDeniedException"}' },
      'AccessDeniedException',
    ],
    ['an error without a name', { status: 500, body: 'oops' }, 'status_500', false],
    ['a broken connection', 'reset', 'ECONNRESET', false],
  ])('reports %s by a word without the address, and repeats nothing', async (_, answer, reason, isRejection = true) => {
    const ses = await sesWith(answer);
    expect(await send()).toEqual({ ok: false, failure: { reason, isRequest: false, isRejection } });
    expect(ses.requests).toHaveLength(1);
  });

  it.each(['{}', 'oops', '', '{"MessageId":""}', '{"MessageId":1}', JSON.stringify({ MessageId: 'a'.repeat(5_000) })])(
    'takes a mail as accepted, without its id, when the answer is 200 with body %#',
    async (body) => {
      await sesWith({ status: 200, body });
      expect(await send()).toEqual({ ok: true, value: { messageId: '' } });
    },
  );

  it('tells a mistake in the request from others', async () => {
    await sesWith(rejected(400, 'BadRequestException'));
    expect(await send()).toEqual({
      ok: false,
      failure: { reason: 'BadRequestException', isRequest: true, isRejection: true },
    });
  });

  it('gives up an attempt after five seconds', async () => {
    const ses = await sesWith('hang');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const sending = send();
    await ses.received(1);
    vi.advanceTimersByTime(5_000);
    expect(await sending).toEqual({ ok: false, failure: { reason: 'timeout', isRequest: false, isRejection: false } });
  });

  it('ends with the invocation', async () => {
    const ses = await sesWith('hang');
    const ending = new AbortController();
    const sending = send(ending.signal);
    await ses.received(1);
    ending.abort();
    expect(await sending).toEqual({ ok: false, failure: { reason: 'timeout', isRequest: false, isRejection: false } });
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { startSes } from '../../../lib/tools/local/emulators/ses.ts';
import { deployed } from './resources.ts';

const valid = {
  FromEmailAddress: 'returns@shop.example',
  Destination: { ToAddresses: ['ada@example.com'] },
  Content: { Simple: { Subject: { Data: 'Olá' }, Body: { Text: { Data: 'Text' } } } },
  ConfigurationSetName: 'returns-dev',
  EmailTags: [{ Name: 'event', Value: 'evt_1' }],
};

const start = async (MatchingEventTypes = ['bounce', 'complaint']) => {
  const reported: unknown[] = [];
  const { url, createConfigurationSets, close } = await startSes(0, (type, detail) => reported.push([type, detail]));
  onTestFinished(close);
  const deployment = deployed({
    Set: { Type: 'AWS::SES::ConfigurationSet', Properties: { Name: 'returns-dev' } },
    Feedback: {
      Type: 'AWS::SES::ConfigurationSetEventDestination',
      Properties: { ConfigurationSetName: { Ref: 'Set' }, EventDestination: { MatchingEventTypes } },
    },
  });
  createConfigurationSets(
    deployment.ofType('AWS::SES::ConfigurationSet'),
    deployment.ofType('AWS::SES::ConfigurationSetEventDestination'),
  );
  const send = async (changes: object = {}) => {
    const body = JSON.stringify({ ...valid, ...changes });
    const response = await fetch(`${url}/v2/email/outbound-emails`, { method: 'POST', body });
    const answered = (await response.json()) as { readonly MessageId?: string };
    return { status: response.status, type: response.headers.get('x-amzn-errortype'), ...answered };
  };
  const list = async (after = 0): Promise<unknown> => (await fetch(`${url}/mails?after=${after}`)).json();
  return { send, list, reported };
};

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
describe('SES', () => {
  it('accepts a plain text from the verified domain, and shows it', async () => {
    const { send, list } = await start();
    const { status, MessageId } = await send();
    expect(status).toBe(200);
    const mail = {
      number: 1,
      messageId: MessageId,
      from: 'returns@shop.example',
      to: 'ada@example.com',
      subject: 'Olá',
    };
    expect(await list()).toEqual({ mails: [{ ...mail, text: 'Text' }] });
    expect(await list(1)).toEqual({ mails: [] });
  });

  it.each([
    ['a sender that is not verified', { FromEmailAddress: 'a@other.example' }, 400, 'MessageRejected'],
    ['an illegal address', { Destination: { ToAddresses: ['ä@example.com'] } }, 400, 'BadRequestException'],
    ['no text', { Content: { Simple: { Subject: { Data: 'x' } } } }, 400, 'BadRequestException'],
    ['a tag with a space', { EmailTags: [{ Name: 'event', Value: 'a b' }] }, 400, 'BadRequestException'],
    ['an unknown configuration set', { ConfigurationSetName: 'x' }, 404, 'NotFoundException'],
    ['a field that the local stack does not know', { FeedbackForwardingEmailAddress: 'x' }, 400, 'BadRequestException'],
  ])('rejects %s', async (_, changes, status, type) => {
    const { send, list } = await start();
    expect(await send(changes)).toMatchObject({ status, type });
    expect(await list()).toEqual({ mails: [] });
  });

  it.each([
    ['bounce', 'Email Bounced', { bounce: { bounceType: 'Permanent' } }],
    ['complaint+ada', 'Email Complaint Received', {}],
  ])('reports what the simulated mailbox %s does, with the tags of the mail', async (name, type, detail) => {
    const { send, reported } = await start();
    await send({ Destination: { ToAddresses: [`${name}@simulator.amazonses.com`] } });
    const tags = { 'ses:configuration-set': ['returns-dev'], event: ['evt_1'] };
    expect(reported).toMatchObject([[type, { ...detail, mail: { tags } }]]);
  });

  it('reports nothing that the configuration set does not ask for', async () => {
    const { send, reported } = await start(['complaint']);
    await send({ Destination: { ToAddresses: ['bounce@simulator.amazonses.com'] } });
    await send();
    expect(reported).toEqual([]);
  });
});

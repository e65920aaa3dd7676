import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { item, orderNode, startProject } from '../shops/platforms/commercetools-project.ts';
import { addSources } from '../shops/platforms/platform-secret.ts';
import { api } from '../support/api.ts';
import { lambda } from '../support/lambda.ts';
import { sharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { hooksOf } from './support.ts';

const projectKey = 'acme-project';
const stack = await sharedStack();
let project: Awaited<ReturnType<typeof startProject>>;
beforeAll(async () => {
  project = await startProject(projectKey);
  await addSources(stack.secrets, 'commercetools', { [projectKey]: project.entry() });
});
afterAll(async () => project.close());

describe.each(oneMode('connected'))('commercetools notifications in the %s mode', (mode) => {
  const messageOf = (type: string, orderId: string) => ({
    notificationType: 'Message',
    projectKey,
    id: randomUUID(),
    type,
    resource: { typeId: 'order', id: orderId },
  });
  /** Sends a message to the queue and waits for its settled delivery. */
  const sendMessage = async (type: string, orderId: string) => {
    const message = messageOf(type, orderId);
    await new SQSClient({ ...clientSettings, endpoint: stack.info.aws.sqs }).send(
      new SendMessageCommand({
        QueueUrl: stack.info.aws.queues[`${mode}.EventsQueue`],
        MessageBody: JSON.stringify(message),
      }),
    );
    const [row = {}] = await hooksOf(stack, mode).settled(message.id);
    return row;
  };
  const read = async (returnId: unknown) => {
    const { status, body } = await api(mode, stack.info).get(`/returns/${String(returnId)}`);
    expect(status).toBe(200);
    return body;
  };
  const order = (changes: Record<string, unknown>, id: string = randomUUID()): string => {
    project.state.order = orderNode({ id, ...changes });
    return id;
  };

  it('commercetools-jvm-sdk#2182: cancels a return whose return info was removed and leaves another return unchanged', async () => {
    const remaining = { items: [item('line-1', 'Returned')] };
    const removed = { items: [item('line-2', 'Advised')] };
    const id = order({ returnInfo: [removed] });
    const first = await sendMessage('ReturnInfoAdded', id);
    order({ returnInfo: [removed, remaining] }, id);
    expect(await sendMessage('ReturnInfoAdded', id)).toMatchObject({ status: 'done' });
    order({ returnInfo: [remaining] }, id);
    expect(await sendMessage('ReturnInfoSet', id)).toMatchObject({ status: 'done' });
    expect(await read(first['returnId'])).toMatchObject({ status: 'cancelled' });
    order({}, id);
    const last = await sendMessage('ReturnInfoSet', id);
    expect(last).toMatchObject({ status: 'done' });
    expect(await read(last['returnId'])).toMatchObject({ lines: [{ quantities: { received: 1, cancelled: 0 } }] });
  });

  it('ignores the test notification of a new subscription', async () => {
    const trial = { ...messageOf('', ''), notificationType: 'ResourceCreated' };
    const detail = { ...trial, resource: { typeId: 'subscription', id: 'sub-1' } };
    const bus = { source: `aws.partner/commercetools.com/${projectKey}/returns`, detail };
    await lambda(mode, stack.info)('receiveEvents', bus);
    expect(await hooksOf(stack, mode).settled(detail.id)).toMatchObject([
      { status: 'ignored', reason: 'test_notification' },
    ]);
  });
});

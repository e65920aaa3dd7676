import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Message, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, paginateScan, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { listAttributes, overdueBefore, positionOf, waitingAttributes } from '../../lib/store/inbox/inbox-index.ts';
import { inboxKey, type InboxRow } from '../../lib/store/inbox/inbox-row.ts';
import type { SharedStack } from '../support/own-stack.ts';
import { sendPatiently } from '../support/send-patiently.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

export type Signed = { readonly headers: Record<string, string>; readonly body: Uint8Array };

export type Row = Record<string, unknown>;
type Wanted = { readonly deliveryId?: string; readonly platform?: string };

const openHooks = (stack: Pick<SharedStack, 'info' | 'next'>, mode: Mode) => {
  const { aws, hooks, standalone } = stack.info;
  const url = `${mode === 'connected' ? hooks.url : standalone.hooksUrl}/webhooks`;
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  const sqs = new SQSClient({ ...clientSettings, endpoint: aws.sqs });
  const processed = (event: StackEvent) =>
    event.type === 'invoked' && event.source === mode && event.function === 'process';
  /**
   * Returns the deliveries with these attributes.
   * The table also holds rows of other tests, so the engine filters them page by page.
   */
  const rows = async (wanted: Wanted = {}): Promise<Row[]> => {
    const attributes = Object.entries(wanted);
    const pages = paginateScan(
      { client: table },
      {
        TableName: aws.tables[`${mode}.Table`],
        FilterExpression: ['attribute_exists(deliveryId)', ...attributes.map(([name]) => `${name} = :${name}`)].join(
          ' AND ',
        ),
        ...(attributes.length > 0 && {
          ExpressionAttributeValues: Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
        }),
      },
    );
    const found: Row[] = [];
    for await (const { Items = [] } of pages) found.push(...Items);
    return found;
  };
  const settledRows = async (wanted: Wanted, isKnown: (row: Row) => boolean = () => false): Promise<Row[]> => {
    for (;;) {
      const run = stack.next(processed);
      const found = (await rows(wanted)).filter((row) => !isKnown(row));
      if (found.length > 0 && found.every(({ status }) => status !== 'received')) return found;
      await run;
    }
  };
  return {
    /** Posts a delivery to the path below `/webhooks/`. Like a shop, it sends a delivery with the answer 503 again. */
    deliver: async ({ headers, body }: Signed, path = 'shopify') =>
      sendPatiently(async () => {
        const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body: Uint8Array.from(body) });
        return { status: response.status, text: await response.text() };
      }),
    url,
    rows,
    /** Returns the inbox rows of deliveries with this id. */
    inbox: async (deliveryId = ''): Promise<Row[]> => rows({ deliveryId }),
    /**
     * Stores a copy of a settled row under another id.
     * A receiver leaves such a row when it dies before it enqueues the key.
     */
    strand: async (row: Record<string, unknown>, deliveryId: string): Promise<void> => {
      const { returnId: _, settledAt: __, byBody: ___, id: ____, statusKey: _____, ...rest } = row;
      const pk = String(row['pk']).replace(/[^#]*$/, deliveryId);
      const waiting = { receivedAt: new Date(Date.now() - 300_000).toISOString(), status: 'received' } as const;
      const Item = { ...rest, ...waiting, ...waitingAttributes(pk, waiting.receivedAt), attempts: 0, pk, deliveryId };
      await table.send(new PutCommand({ TableName: aws.tables[`${mode}.Table`], Item }));
    },
    /** Stores work of the service, which is due at once. */
    putWork: async (row: InboxRow): Promise<string> => {
      const pk = inboxKey(row);
      const since = overdueBefore(Date.parse(row.receivedAt));
      const Item = { ...row, ...listAttributes(pk, row), ...waitingAttributes(pk, since), pk, sk: 'DELIVERY' };
      await table.send(new PutCommand({ TableName: aws.tables[`${mode}.Table`], Item }));
      return pk;
    },
    /**
     * Makes each delivery due that no worker has attempted, as the sweeper finds it minutes later. Its receipt is earlier
     * too: a list shows a delivery at the position of its receipt only.
     */
    makeDue: async (): Promise<void> => {
      for (const { pk, dueKey, id } of (await rows()).filter((row) => row['dueKey'] !== undefined)) {
        const passed = new Date(Date.now() - 300_000).toISOString();
        const isNew = id === undefined;
        const update = new UpdateCommand({
          TableName: aws.tables[`${mode}.Table`],
          Key: { pk, sk: 'DELIVERY' },
          UpdateExpression: `SET dueKey = :passed${isNew ? ', receivedAt = :receivedAt' : ''}`,
          ConditionExpression: 'dueKey = :dueKey',
          ExpressionAttributeValues: {
            ':passed': positionOf(String(pk), passed),
            ':dueKey': dueKey,
            ...(isNew ? { ':receivedAt': passed } : {}),
          },
        });
        // A worker that attempts the delivery meanwhile removes the attribute.
        await table.send(update).catch((error: unknown) => {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        });
      }
    },
    /** Waits for the next run of the function that processes the inbox. */
    processed: async () => stack.next(processed),
    /** Returns the unknown rows with these attributes, once there are some and all are settled. */
    settledRows,
    settled: async (deliveryId = ''): Promise<Row[]> => settledRows({ deliveryId }),
    /** Sends a message to the inbox's queue. */
    send: async (MessageBody: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl: aws.queues[`${mode}.InboxQueue`], MessageBody })),
    /** Returns the dead letters, once there are some. */
    deadLetters: async (): Promise<Message[]> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: aws.queues[`${mode}.InboxDeadLetters`],
          WaitTimeSeconds: 15,
          MessageAttributeNames: ['All'],
        }),
      );
      return Messages;
    },
  };
};

export type Hooks = ReturnType<typeof openHooks>;

const opened = new WeakMap<object, Map<Mode, Hooks>>();

/**
 * Returns the webhook helpers of one mode.
 * A test may call it often: it creates the clients once.
 */
export const hooksOf = (stack: Parameters<typeof openHooks>[0], mode: Mode): Hooks => {
  const ofStack = opened.get(stack) ?? new Map<Mode, Hooks>();
  opened.set(stack, ofStack);
  const hooks = ofStack.get(mode) ?? openHooks(stack, mode);
  ofStack.set(mode, hooks);
  return hooks;
};

import { onTestFinished } from 'vitest';
import { type Answer, startServer } from '../../support/http-server.ts';

/* SES at its wire: SendEmail of API v2, with the answers that AWS documents. */

export const accepted = (messageId = '0107019a-000000'): Answer => ({
  status: 200,
  body: JSON.stringify({ MessageId: messageId }),
});

/** An error of SES, in the form of restJson1. Its message can hold the address. */
export const rejected = (
  status: number,
  type: string,
  message = 'Email address is not verified: ada@example.com',
): Answer => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: JSON.stringify({ message }),
});

/** An answer, or what makes it when the request arrives. */
export type SesAnswer = Answer | (() => Answer);

/** Starts SES, which answers in this order and then accepts all. */
export const startSes = async (...answers: readonly SesAnswer[]) => {
  let next = 0;
  const server = await startServer(() => {
    const answer = answers[next++] ?? accepted();
    return typeof answer === 'function' ? answer() : answer;
  });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return server;
};

/** The variables of a deployment with a sender. */
export const mailVariables = (origin: string, limit = 1000) => ({
  AWS_ENDPOINT_URL_SESV2: origin,
  MAIL_SENDER: 'returns@shop.example',
  MAIL_CONFIGURATION_SET: 'returns-test',
  MAIL_LIMIT: String(limit),
});

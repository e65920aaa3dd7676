import { readFileSync } from 'node:fs';
import { startServer, type Answer } from '../../support/http-server.ts';

export type Node = Record<string, unknown>;
type Example = Node & { order: Node; returns: [Node, ...Node[]]; refunds: Node[] };

/** The examples of the contract, in order: the two secrets, a delivery, an answer, and changes. */
const examples = Array.from(
  readFileSync('lib/tools/guides/examples/standard-sender.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g),
  ([, text = '']) => JSON.parse(text) as Node,
);
const [proofs = {}, accesses = {}, delivery = {}, agreed = {}, changed = {}, declared = {}] = examples;
const portalIn = ({ sources }: Node): Node => (sources as Record<string, Node> | undefined)?.['portal'] ?? {};
const portal = { ...portalIn(proofs), ...portalIn(accesses) };

/** Starts a sender that follows the contract. Below `/api`, it answers with the test's `answers`, by path. */
export const startSender = async () => {
  const answers = new Map<string, Answer | Node>();
  const server = await startServer(({ path, headers }) => {
    const answer = answers.get(path);
    if (headers.authorization !== 'Bearer the token that we send') return { status: 401 };
    if (answer === undefined) return { status: 404 };
    return typeof answer === 'object' && 'status' in answer && Object.keys(answer).length <= 2
      ? (answer as Answer)
      : { status: 200, body: JSON.stringify(answer) };
  });
  return {
    origin: server.origin,
    requests: server.requests,
    answers,
    /** The entries of both secrets, in which the test's address replaces the example's. */
    documented: portal,
    example: agreed as Example,
    delivery,
    changed,
    /** The documented declarations of withdrawal. */
    declared: declared as { withdrawals: [Node, ...Node[]] },
    close: () => server[Symbol.asyncDispose](),
  };
};

import { createInterface } from 'node:readline/promises';
import type { OperationName } from '../../contract/contract.ts';
import type { OperationInfo } from './catalogue.ts';
import { safeText } from './output/safe-text.ts';
import type { Terminal } from './output/terminal.ts';

/** What a command that needs a confirmation does. */
const effects: Partial<Record<OperationName, string>> = {
  publish: 'The draft will decide returns.',
  archive: 'The policy will stop deciding returns.',
  replayRange: 'Workers will process all selected deliveries again.',
  redrive: 'Workers will process all deliveries of the dead-letter queue again.',
  redeliverWebhooks: 'The endpoint will get all selected events again.',
  rotateWebhookSecret: 'The receiver must get the new secret.',
  eraseCustomer: 'The personal data cannot be restored.',
};

/** Returns the effect that a person has to confirm; undefined for a command that needs no confirmation. */
export const effectOf = ({ operation: { name, method, summary }, flow }: OperationInfo): string | undefined => {
  const effect = effects[name];
  if (effect !== undefined) return effect;
  const affectsMany = flow === 'pages' || flow === 'drain';
  return affectsMany || method === 'DELETE' ? `${summary}.` : undefined;
};

/** Asks a question on stderr, since stdout is for results. Only `y` and `yes` confirm. */
export const confirm = async (
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  prompt: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const lines = createInterface({ input: stdin, output: stderr });
  // The interface takes Ctrl-C from a terminal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const answer = await lines.question(`${safeText(prompt)} Continue? [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
};

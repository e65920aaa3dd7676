import type { Level } from '../../../../lib/runtime/log-line.ts';
import type { AccessEvent } from '../../../../lib/access/oauth/access-event.ts';
import { clientSecret as good, second, secretText, type Harness } from '../../oauth/harness.ts';
import { testCertificate } from '../../../support/certificate.ts';

/** The requests that cause an access event, and its visible effects. */
export type Scenario = {
  readonly name: string;
  readonly run: (harness: Harness) => Promise<unknown>;
  readonly level?: Level;
  /** Fields of its log line. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Its metrics: their value, or that it is any number, of milliseconds or without a unit. */
  readonly metrics: Readonly<Record<string, number | 'some' | 'some ms'>>;
  readonly reasons?: readonly string[];
};

export type Scenarios<Type extends AccessEvent['type']> = Readonly<Record<Type, readonly Scenario[]>>;

export const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
export const first = testCertificate('first', from, to);
export const other = testCertificate('other', from, to);

export const withPair = ({ certificate, privateKey }: Pick<typeof first, 'certificate' | 'privateKey'>): string =>
  secretText(good, { certificate, privateKey });

/** R and H of the harness's tokens: see test/access/oauth/access.test.ts. */
export const softAge = 2_880 * second;
const hardAge = 3_540 * second;

/** Sets the version of the secret that exists from the start. */
export const begin = ({ secrets }: Harness, text: string) =>
  void secrets.versions.set('AWSCURRENT', { versionId: 'v1', text });

/** Gets a token, and lets time pass until another one is needed. */
export const outlive = async (harness: Harness) => {
  await harness.text();
  harness.clock.advance(hardAge);
};

import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { commonStatements } from '../../../domain/policies/published/common-statements.ts';
import { toGoogle } from '../../../domain/policies/published/formats/google.ts';
import { toSchemaOrg } from '../../../domain/policies/published/formats/schema-org.ts';
import { toShopify } from '../../../domain/policies/published/formats/shopify.ts';
import { toUcp } from '../../../domain/policies/published/formats/ucp.ts';
import type { TextScope } from '../../../domain/policies/published/scope.ts';
import type { Statement } from '../../../domain/policies/published/statement.ts';
import { statementsOf } from '../../../domain/policies/published/statements.ts';
import { versionsInScope } from '../../../domain/policies/published/versions-in-scope.ts';
import { dateIn, daysAfter, endOfDay, isDate, justBefore } from '../../../domain/policies/time/calendar.ts';
import { timeZoneOf } from '../../../domain/policies/time/time-zones.ts';
import { languageFor } from '../../../domain/texts/catalogues.ts';
import { omissionSentences, policySentences } from '../../../domain/texts/policy-text/sentences.ts';
import { configured } from '../../../runtime/container.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { readCatalogue, readDocument } from '../../../store/policies/policies.ts';
import { withStore } from '../../execution/execute.ts';
import { termsConfig } from '../decisions/terms-config.ts';
import { invalidRequest } from './known-policy.ts';

const config = configured(termsConfig);

/** Returns the orders of a day, in the time zone of their country. Of today, only those from now on count. */
const scopeOf = ({ country, channel }: Input<'getPolicyText'>, date: string, now: string): TextScope => {
  const timeZone = timeZoneOf(undefined, country);
  const start = endOfDay(daysAfter(date, -1), timeZone);
  const to = justBefore(endOfDay(date, timeZone));
  const from = date === dateIn(now, timeZone) ? now : start;
  return { country, ...(channel === undefined ? {} : { channel }), from, to };
};

type Formats = Output<'getPolicyText'>['formats'];

const formatsOf = (
  { country, format }: Input<'getPolicyText'>,
  statements: readonly Statement[],
  sentences: readonly string[],
): Formats => {
  const formats = {
    schema_org: () => toSchemaOrg(statements, country),
    google: () => toGoogle(statements, country),
    ucp: () => toUcp(statements, sentences),
    shopify: () => toShopify(statements),
  };
  const wanted = format === undefined ? (['schema_org', 'google', 'ucp', 'shopify'] as const) : [format];
  return Object.fromEntries(wanted.map((name) => [name, formats[name]()]));
};

/** Reads what customers of a country and channel may rely on, as statements, sentences and formats. */
export const getPolicyText = async (
  input: Input<'getPolicyText'>,
  call: Call,
): Promise<Result<Reply<Output<'getPolicyText'>>>> =>
  withStore(call, async (session) => {
    const { country, channel } = input;
    const now = new Date().toISOString();
    const date = input.date ?? dateIn(now, timeZoneOf(undefined, country));
    if (!isDate(date))
      return fail(invalidRequest({ path: '/date', code: 'format', message: 'must be a date that exists' }));
    const scope = scopeOf(input, date, now);
    const versions = versionsInScope(await readCatalogue(session), scope, now);
    const policies = await Promise.all(
      versions.map(async ({ policyId, version }) => {
        const document = await readDocument(session, policyId, version);
        if (document === undefined) throw new Error(`${policyId} has no version ${version}`);
        return statementsOf(document, scope, config());
      }),
    );
    const { statements, omitted } = commonStatements(policies);
    const language = input.language ?? languageFor(call.acceptLanguage);
    const sentences = policySentences(statements, language);
    const omissions = omissionSentences(omitted, language);
    const body = {
      country,
      ...(channel === undefined ? {} : { channel }),
      date,
      statements: statements.map((statement, index) => ({ ...statement, text: sentences[index] ?? '' })),
      omitted: omitted.map((omission, index) => ({ ...omission, text: omissions[index] ?? '' })),
      formats: formatsOf(input, statements, sentences),
    };
    // The contract declares its lists as mutable.
    return ok({ status: 200, body: body as unknown as Output<'getPolicyText'>, language });
  });

import type { Input, Output } from '../../../contract/contract.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { causeOfCall, historyActor } from '../../execution/event-metadata.ts';
import { execute, type Plan } from '../../execution/execute.ts';
import { currentKey, readKeyRing, readReceiptKeyRing } from '../../execution/key-ring.ts';
import { latestObservationAt, toMillisecondInstant } from '../../execution/observation.ts';
import { createActorKeyPair } from '../../../store/personal/encrypt-actor.ts';
import { createTextReference } from '../../../store/personal/text-references.ts';
import { timeZoneOf } from '../../../domain/policies/time/time-zones.ts';
import { addMacs } from '../../../domain/returns/history/mac.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import { receiptConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import { markerRef, receiptRef, type SaltedText } from '../../../store/personal/personal.ts';
import {
  findDeclaration,
  readWithdrawal,
  writeDeclarationMarkers,
  writeDeclaredTexts,
  writeOrderSearch,
  writeWithdrawal,
} from '../../../store/withdrawals/withdrawals.ts';
import { languageFor } from '../../../domain/texts/catalogues.ts';
import { declaredView } from '../../views/withdrawals/withdrawal-view.ts';
import { doubleDigests } from '../../../domain/withdrawals/double.ts';
import { appendWithdrawalEntry } from '../../../domain/withdrawals/history/append.ts';
import { isSigned } from '../../../domain/withdrawals/history/fold.ts';
import { declaredVersion, type Withdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import {
  type DeclaredContent,
  type ReceiptParts,
  receiptPayload,
  signReceipt,
} from '../../../domain/withdrawals/receipt/receipt.ts';
import { deriveReceiptKey, signingKeyOf } from '../../../domain/withdrawals/receipt/receipt-keys.ts';

const config = configured(receiptConfig);

type Body = Output<'declareWithdrawal'>;

const failField = (path: string, code: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The fact of the platform is invalid.',
    errors: [{ path, code, message }],
  });

/** No shop has an earlier declaration, and no time zone had whole minutes long before. */
const earliestDeclaration = '2000-01-01T00:00:00.000Z';

/** Returns when the consumer declared the withdrawal. Only a platform may report an earlier time, never a later one. */
const declarationTime = ({ declaredAt, source }: Input<'declareWithdrawal'>, now: Instant): Result<Instant> => {
  if (declaredAt === undefined)
    return source === undefined ? ok(now) : failField('/declaredAt', 'required', 'is required with `source`');
  if (source === undefined) return failField('/source', 'required', 'is required with `declaredAt`');
  const at = toMillisecondInstant(declaredAt);
  if (at < earliestDeclaration) return failField('/declaredAt', 'minimum', `must be after ${earliestDeclaration}`);
  if (at > latestObservationAt(new Date(now))) return failField('/declaredAt', 'maximum', 'must not be in the future');
  // The clock of the platform may be ahead: a receipt never has a later time than its signature.
  return ok(at < now ? at : now);
};

const contentOf = ({ name, email, contract, lines }: Input<'declareWithdrawal'>): DeclaredContent => ({
  name,
  email,
  contract,
  ...(lines !== undefined && { lines }),
});

/** Replaces the texts of a declaration by their references. The texts are stored apart. */
const separateTexts = ({ name, email, contract, lines }: DeclaredContent) => {
  const salted: SaltedText[] = [];
  const separate = (ref: string, text: string) => {
    const { seal, text: stored } = createTextReference(ref, text);
    salted.push(stored);
    return seal;
  };
  const references = {
    name: separate('name', name),
    email: separate('email', email),
    contract: separate('contract', contract),
    ...(lines !== undefined && { lines: separate('lines', lines) }),
  };
  return { references, salted };
};

/** Makes a new withdrawal with its receipt, and the writes that store both. */
const planNew = async (
  session: Session,
  input: Input<'declareWithdrawal'>,
  call: Call,
  { digest, at, declaredAt }: { readonly digest: string; readonly at: Instant; readonly declaredAt: Instant },
): Promise<Plan<Body>> => {
  const [key, receiptKeys] = await Promise.all([currentKey(session), readReceiptKeyRing({ signal: session.signal })]);
  const content = contentOf(input);
  const language = input.language ?? languageFor(call.acceptLanguage);
  const timeZone = timeZoneOf(input.timeZone, '');
  const { references: texts, salted } = separateTexts(content);
  const { publicKey: actorKey, text: actorText } = createActorKeyPair();
  const withdrawalId = `wdr_${newUlid(Date.parse(at))}`;
  const circumstances = { at, ...causeOfCall(call), actor: historyActor(call, actorKey) };
  const { platform, source } = input;
  const data = {
    withdrawalId,
    actorKey,
    declaredAt,
    language,
    timeZone,
    texts,
    ...(platform !== undefined && { platform }),
    ...(source !== undefined && { source }),
  };
  const first = appendWithdrawalEntry(undefined, { type: 'withdrawal.declared', data }, circumstances);
  const payload = receiptPayload({
    issuer: config().issuer,
    withdrawalId,
    declaredAt,
    issuedAt: at,
    timeZone,
    content,
    language,
    entryHash: first.entry.hash,
  });
  const signed = signReceipt(payload, deriveReceiptKey(signingKeyOf(receiptKeys, Date.parse(at))));
  const { sha256, keyId } = signed;
  const due = { type: 'withdrawal.receipt_due', data: { withdrawalId, receipt: { sha256, keyId } } } as const;
  const second = appendWithdrawalEntry(first.state, due, circumstances);
  const { state } = second;
  if (!isSigned(state)) throw new Error('a new withdrawal has no receipt');
  const parts: ReceiptParts = { payload: signed.payload, keyId, signature: signed.signature };
  const internal = [
    actorText,
    { ref: markerRef, salt: '', text: digest },
    { ref: receiptRef, salt: '', text: JSON.stringify(parts) },
  ];
  return {
    reply: {
      status: 201,
      body: declaredView(state),
      version: state.version,
      language,
      location: `${basePath}/withdrawals/${withdrawalId}`,
    },
    writes: [
      ...writeWithdrawal(state, addMacs([first.entry, second.entry], key), undefined),
      ...writeDeclarationMarkers(state, { digest, source }),
      writeDeclaredTexts(state, [...internal, ...salted]),
      writeOrderSearch(state),
    ],
  };
};

/** Answers a double with the first withdrawal. */
const replyWithFirst = (first: Withdrawal): Plan<Body> => ({
  reply: { status: 200, body: declaredView(first), version: declaredVersion, language: first.language },
  writes: [],
});

/**
 * Stores a declaration of withdrawal with its signed receipt. An equal declaration gets the first one: a marker that
 * exists once decides between concurrent ones. No order is read, so the response shows nothing about orders.
 */
export const declareWithdrawal = async (input: Input<'declareWithdrawal'>, call: Call): Promise<Result<Reply<Body>>> =>
  execute<Body>('declareWithdrawal', input, call, async (session) => {
    const at = new Date().toISOString();
    const declaredAt = declarationTime(input, at);
    if (!declaredAt.ok) return declaredAt;
    const { stored: digest, all } = doubleDigests(contentOf(input), await readKeyRing(session));
    const known = await findDeclaration(session, all, input.source);
    const first = known === undefined ? undefined : await readWithdrawal(session, known);
    if (first !== undefined) return ok(replyWithFirst(first));
    return ok(await planNew(session, input, call, { digest, at, declaredAt: declaredAt.value }));
  });

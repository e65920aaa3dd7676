import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { StaticCredentials } from '../../../access/client/public.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { type Profile, readPrivateFile } from './profiles.ts';

/* Where the client secret and the certificate come from. No message quotes their content. */

const maxOutputBytes = 64 * 1024;
/** A keychain may ask its user. */
const commandMs = 60_000;

/** A secret ends where its line ends: programs and editors add a line end. */
const firstLine = (text: string): string => text.replace(/\r?\n$/, '');

const checked = (secret: string, source: string): Result<string, string> =>
  secret === '' ? fail(`${source} gives no secret.`) : ok(secret);

/** Reads a secret from a file that only its owner can read. */
export const readSecretFile = async (file: string): Promise<Result<string, string>> => {
  const text = await readPrivateFile(file);
  if (!text.ok) return text;
  return text.value === undefined ? fail(`${file} does not exist.`) : checked(firstLine(text.value), file);
};

/**
 * Runs the command of a keychain without a shell, and returns the line that it prints. It may use the terminal to ask
 * for a password. It ends after a minute.
 */
const runSecretCommand = (
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
): Promise<Result<string, string>> =>
  new Promise((resolve) => {
    const source = 'clientSecretCommand';
    const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'], timeout: commandMs, signal });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) child.kill();
      else chunks.push(chunk);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(fail(`${source}: ${program} cannot run (${error.code ?? error.name}).`)),
    );
    child.once('close', (code) => {
      if (bytes > maxOutputBytes) return resolve(fail(`${source} prints more than ${maxOutputBytes} bytes.`));
      if (code === null) return resolve(fail(`${source} did not end within ${commandMs / 1000} s.`));
      if (code !== 0) return resolve(fail(`${source} ended with the exit code ${code}.`));
      return resolve(checked(firstLine(Buffer.concat(chunks).toString('utf8')), source));
    });
  });

/** Returns the secret of a client. `given` has it already, such as the environment. */
export const readClientSecret = async (
  given: string | undefined,
  { clientSecretFile, clientSecretCommand }: Profile,
  signal: AbortSignal,
): Promise<Result<string, string>> => {
  if (given !== undefined) return ok(given);
  if (clientSecretFile !== undefined) return readSecretFile(clientSecretFile);
  if (clientSecretCommand !== undefined) return runSecretCommand(clientSecretCommand, signal);
  return fail('There is no client secret. Set clientSecretFile in the profile, or RETURNS_CLIENT_SECRET.');
};

const readPem = async (field: string, file: string | undefined): Promise<Result<string | undefined, string>> => {
  if (file === undefined) return ok(undefined);
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    return fail(`${field}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
};

const readKey = async (file: string | undefined): Promise<Result<string | undefined, string>> => {
  if (file === undefined) return ok(undefined);
  const text = await readPrivateFile(file);
  if (!text.ok) return text;
  return text.value === undefined ? fail(`privateKeyFile: ${file} does not exist.`) : text;
};

/** Reads the certificate of a client with its key, and the certificate authorities that the client trusts. */
export const readCertificate = async ({
  certificateFile,
  privateKeyFile,
  caFile,
}: Profile): Promise<Result<Pick<StaticCredentials, 'certificate' | 'privateKey' | 'ca'>, string>> => {
  if ((certificateFile === undefined) !== (privateKeyFile === undefined))
    return fail('The profile needs both certificateFile and privateKeyFile, or none of them.');
  const certificate = await readPem('certificateFile', certificateFile);
  if (!certificate.ok) return certificate;
  const privateKey = await readKey(privateKeyFile);
  if (!privateKey.ok) return privateKey;
  const ca = await readPem('caFile', caFile);
  if (!ca.ok) return ca;
  return ok({ certificate: certificate.value, privateKey: privateKey.value, ca: ca.value });
};

import { errorName } from '../log.ts';

/**
 * Why Secrets Manager gave nothing, in a word: AWS's own, or where it did not answer the system's (`ECONNREFUSED`) or
 * the HTTP parser's (`HPE_HEADER_OVERFLOW`). It says AccessDeniedException of the secret's key as of the secret itself:
 * only the message, which goes no further, tells them apart.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html
 */
export const faultName = (error: unknown): string => {
  const name = errorName(error);
  if (!(error instanceof Error)) return name;
  if (name === 'AccessDeniedException' && /\bKMS\b/.test(error.message)) return 'KmsAccessDenied';
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?:E|HPE_)[A-Z_]{2,60}$/.test(code) ? code : name;
};

import { isTemporary, type Problem } from '../api/problem.ts';
import { common } from '../texts/common.ts';
import { useOnline } from '../app/use-online.ts';
import { Copy } from './basics.tsx';

/** Says what kind of failure it is, in the language of the person. The detail of the API is English. */
const titleOf = ({ code, status }: Problem): string => {
  const { byCode, forbidden, title } = common().problem;
  const known = code.endsWith('_not_found') ? 'not_found' : code;
  if (Object.hasOwn(byCode, known)) return byCode[known as keyof typeof byCode];
  return status === 403 ? forbidden : title;
};

const sentenceOf = (problem: Problem): string => {
  const t = common().problem;
  if (problem.code === 'offline') return t.offline;
  if (problem.code === 'unreachable') return t.unreachable;
  return problem.detail;
};

/** Why a request failed: the sentence of the service, each error of a field with its place, and the ids for a report. */
export const ProblemNotice = ({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) => {
  const t = common();
  const again = isTemporary(problem) ? onRetry : undefined;
  useOnline(again);
  return (
    <div class="notice notice-bad" role="alert">
      <strong>{titleOf(problem)}</strong>
      <p {...(problem.status > 0 && { lang: 'en' })}>{sentenceOf(problem)}</p>
      {problem.errors !== undefined && (
        <ul lang="en">
          {problem.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {problem.status > 0 && (
        <p class="fine">
          {t.problem.code} <code>{problem.code}</code>
          {problem.traceId !== undefined && (
            <>
              {' · '}
              {t.problem.trace} <code>{problem.traceId}</code> <Copy text={problem.traceId} />
            </>
          )}
        </p>
      )}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {t.tryAgain}
        </button>
      )}
    </div>
  );
};

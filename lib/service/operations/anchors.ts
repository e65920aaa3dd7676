import type { Result } from '../../contract/result.ts';
import { fail } from '../../runtime/result.ts';
import { ObjectsUnavailable } from '../../store/engine/objects.ts';

/** Runs a verification that reads anchors. It fails when they cannot be read: without them it would prove less. */
export const withAnchors = async <Value>(run: () => Promise<Result<Value>>): Promise<Result<Value>> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ObjectsUnavailable)) throw error;
    const detail = 'The anchors of the histories cannot be read. Try again.';
    return fail({ code: 'dependency_unavailable', detail, retryAfterSeconds: 1 });
  }
};

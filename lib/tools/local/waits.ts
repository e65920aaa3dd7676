/*
 * No time limit ends a start, because a slow machine needs longer for each step. A wait that makes progress goes on. A
 * wait without progress reports what it waits for. Only an unattended start ends it, after a long time.
 */

/** The object of a wait, in the texts of its report. */
export type Subject = {
  /** A noun, such as `the connected mode`. */
  readonly what: string;
  /** The file or folder that shows why it does not come; absent when there is none. */
  readonly log?: string;
  /** What to try after this start, as an order without its full stop. */
  readonly remedy: string;
};

export type Wait = {
  /** Notes progress. */
  readonly progress: () => void;
  /** Notes the state without progress, such as the last failed attempt. */
  readonly note: (state: string) => void;
  /** Aborts when the wait ends without progress. */
  readonly signal: AbortSignal;
};

/** Runs work that waits for something, and watches its progress. */
export type WaitFor = <Result>(subject: Subject, work: (wait: Wait) => Promise<Result>) => Promise<Result>;

type OpenWait = { readonly subject: Subject; state: string; since: number; isReported: boolean; end: () => void };

export type WaitOptions = {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly report: (lines: readonly string[]) => void;
  /** The time without progress after which a wait reports. */
  readonly quietMs: number;
  /** The time without progress after which a wait fails; absent when no time ends it. */
  readonly endMs?: number | undefined;
};

const duration = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`);

const detailsOf = ({ subject: { what, log }, state }: OpenWait): string =>
  `${what}${state === '' ? '' : ` (${state})`}${log === undefined ? '' : `, see ${log}`}`;

const reportOf = (wait: OpenWait, { quietMs, endMs }: WaitOptions): readonly string[] => [
  `  No progress for ${duration(quietMs)}. This start waits for ${detailsOf(wait)}.`,
  `  A slow machine only needs time. On a fast one, end this start: ${wait.subject.remedy}.`,
  ...(endMs === undefined ? [] : [`  It ends after ${duration(endMs)} without progress.`]),
];

/** Creates waits whose progress `check` compares with the clock. */
export const createWaits = (options: WaitOptions) => {
  const { now, report, quietMs, endMs = Number.POSITIVE_INFINITY } = options;
  const open = new Set<OpenWait>();
  const waitFor: WaitFor = async (subject, work) => {
    const ending = new AbortController();
    const ended = Promise.withResolvers<never>();
    const wait: OpenWait = {
      subject,
      state: '',
      since: now(),
      isReported: false,
      end: () => {
        const error = new Error(`waited ${duration(endMs)} without progress for ${detailsOf(wait)}: ${subject.remedy}`);
        ending.abort(error);
        ended.reject(error);
      },
    };
    const progress = () => Object.assign(wait, { state: '', since: now(), isReported: false });
    const note = (state: string) => void (wait.state = state);
    open.add(wait);
    try {
      return await Promise.race([work({ progress, note, signal: ending.signal }), ended.promise]);
    } finally {
      open.delete(wait);
    }
  };
  const check = (): void => {
    for (const wait of open) {
      const quiet = now() - wait.since;
      if (quiet >= endMs) wait.end();
      else if (quiet >= quietMs && !wait.isReported) {
        wait.isReported = true;
        report(reportOf(wait, options));
      }
    }
  };
  return { waitFor, check };
};

const quietMs = 30_000;
const unattendedMs = 600_000;
const checkMs = 1_000;

/**
 * Returns a `WaitFor` that checks itself each second.
 *
 * @param isUnattended whether ten minutes without progress end a wait
 */
export const startWaits = (report: WaitOptions['report'], isUnattended: boolean): WaitFor => {
  const endMs = isUnattended ? unattendedMs : undefined;
  const { waitFor, check } = createWaits({ now: () => performance.now(), report, quietMs, endMs });
  return async (subject, work) => {
    const timer = setInterval(check, checkMs);
    try {
      return await waitFor(subject, work);
    } finally {
      clearInterval(timer);
    }
  };
};

/** Reports on stderr, and never ends a wait. */
export const waitAloud: WaitFor = startWaits((lines) => console.error(lines.join('\n')), false);

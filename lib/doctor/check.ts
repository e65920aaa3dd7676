/** What was found: `skipped` where something that it needs was missing. */
export type Check = {
  readonly check: string;
  readonly status: 'passed' | 'warning' | 'failed' | 'skipped';
  /** Never a secret, a token or a key. */
  readonly detail: string;
  /** How to mend it. */
  readonly remedy?: string;
};

export const passed = (check: string, detail: string): Check => ({ check, status: 'passed', detail });

export const warning = (check: string, detail: string, remedy: string): Check => ({
  check,
  status: 'warning',
  detail,
  remedy,
});

export const failed = (check: string, detail: string, remedy: string): Check => ({
  check,
  status: 'failed',
  detail,
  remedy,
});

/** A row for each of several checks that could not be made, for one reason. */
export const skipped = (checks: readonly string[], because: string): readonly Check[] =>
  checks.map((check) => ({ check, status: 'skipped', detail: because }));

/** What some checks found, and what the next ones need of it: undefined when there is nothing to go on with. */
export type Findings<Value> = { readonly checks: readonly Check[]; readonly value: Value | undefined };

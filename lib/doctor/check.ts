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

/** A row for a check that this deployment or engine has no use for. */
export const notApplicable = (check: string, because: string): Check => ({
  check,
  status: 'skipped',
  detail: `not applicable: ${because}`,
});

/**
 * The row of a check that lacks a variable. A deployed function always has it, so there it is a failure; a developer's
 * machine may examine the access alone.
 */
export const unset = (check: string, variable: string, deployed: boolean): Check =>
  deployed
    ? failed(check, `${variable} is not set`, `Set ${variable} as serverless.yml does.`)
    : notApplicable(check, `${variable} is not set`);

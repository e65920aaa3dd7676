const clockSkewMs = 5 * 60_000;

/** The latest time that a fact from outside can be of. Clocks differ; what is further ahead was not observed. */
export const latestFact = (now: Date): string => new Date(now.getTime() + clockSkewMs).toISOString();

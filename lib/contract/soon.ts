import type { Call } from './port.ts';

const patienceMs = 3_000;

/** A call that is to be answered soon, well or not: who asks for health does not wait for it. */
export const soon = (call: Call): Call => ({ ...call, deadline: Math.min(call.deadline, Date.now() + patienceMs) });

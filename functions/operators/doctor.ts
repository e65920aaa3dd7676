import { doctor } from '../../lib/doctor/handler.ts';

export const handler = doctor();

import { doctor } from '../../lib/tools/doctor/handler.ts';

export const handler = doctor();

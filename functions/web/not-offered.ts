import { notOffered } from '../../lib/edge/http/not-offered.ts';

export const handler = notOffered;

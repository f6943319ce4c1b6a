/** The list of transports. */
import { fetchTap } from './fetch';
import type { TransportTap } from './transport';

export const TRANSPORTS: readonly TransportTap[] = [fetchTap];

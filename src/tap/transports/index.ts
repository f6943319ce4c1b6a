/** The list of transports. */
import { dataChannelTap } from './datachannel';
import { eventSourceTap } from './eventsource';
import { fetchTap } from './fetch';
import type { TransportTap } from './transport';
import { websocketTap } from './websocket';
import { xhrTap } from './xhr';

export const TRANSPORTS: readonly TransportTap[] = [fetchTap, eventSourceTap, websocketTap, xhrTap, dataChannelTap];

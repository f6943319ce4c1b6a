/** Every behaviour of the page contract, in one list that any browser's driver can run. */
import type { Behaviour } from '../behaviour';
import { DATA_CHANNEL } from './datachannel';
import { EVENT_SOURCE } from './eventsource';
import { FETCH_ABORT } from './fetch-abort';
import { FETCH_BODY } from './fetch-body';
import { FETCH_REQUEST } from './fetch-request';
import { HOSTILE } from './hostile';
import { PAGE } from './page';
import { WEB_SOCKET } from './websocket';
import { XHR } from './xhr';

export const BEHAVIOURS: readonly Behaviour[] = [
  ...FETCH_REQUEST,
  ...FETCH_BODY,
  ...FETCH_ABORT,
  ...EVENT_SOURCE,
  ...WEB_SOCKET,
  ...XHR,
  ...DATA_CHANNEL,
  ...PAGE,
  ...HOSTILE,
];

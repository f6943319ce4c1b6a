/** What to say of an event that brings no words of its own, in the reader's language. */
import type { AgentEvent } from '../../core/model';
import type { Strings } from '../strings';

export const labelOf = (event: AgentEvent, t: Strings): string => t.eventLabel[event.type];

/**
 * Frames of a stream that no dialect knows, in the form of events: kept, counted, shown, never guessed at. They live only
 * in the table; the session knows nothing of them.
 */

import type { Session } from '../../core/engine';
import type { AgentEvent, FlowId } from '../../core/model';

const made = new WeakMap<Session, Map<FlowId, { frames: number; events: AgentEvent[] }>>();

/** One event per frame, in order. The same array as long as the stream grows, so that indexes on it stay valid. */
export const frameEvents = (session: Session, flow: FlowId): readonly AgentEvent[] => {
  let flows = made.get(session);
  if (flows === undefined) {
    flows = new Map();
    made.set(session, flows);
  }
  let known = flows.get(flow);
  if (known === undefined) {
    known = { frames: 0, events: [] };
    flows.set(flow, known);
  }
  const total = session.flows.get(flow)?.frames ?? 0;
  if (known.frames === total) return known.events;
  for (const frame of session.frames(flow).slice(known.events.length))
    known.events.push({
      type: 'note',
      text: frame.encoding === 'text' ? frame.data : null,
      seq: frame.seq,
      at: frame.at,
      flow,
      ordinal: frame.index,
      frame: frame.index,
      dialect: '',
      raw: frame.event ?? (frame.kind === 'comment' ? 'comment' : frame.framing),
      voice: null,
      voiceBySaying: false,
      standing: 'provisional',
      identity: {},
      lane: frame.direction,
      part: null,
      wireId: frame.id,
      order: null,
    });
  known.frames = total;
  return known.events;
};

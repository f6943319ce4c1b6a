/**
 * The few events of a run that tell of the stream itself: faults the decoder found, and the whole agent's state. Found once
 * per event, however often rules ask; a long run is not searched again for each of them.
 */
import type { AgentEvent } from '../model';
import { isAfter, openingOf } from '../order';
import type { Case } from './rule';

export interface Landmarks {
  /** Malformed, unrecognised, and breaches of the dialect's own order. */
  readonly remarks: readonly AgentEvent[];
  readonly statuses: readonly (AgentEvent & { type: 'agent.status' })[];
  /** The page asked to stop. */
  readonly stops: readonly AgentEvent[];
}

interface Reading extends Landmarks {
  readonly remarks: AgentEvent[];
  readonly statuses: (AgentEvent & { type: 'agent.status' })[];
  readonly stops: AgentEvent[];
  read: number;
  last: AgentEvent | undefined;
}

const readings = new WeakMap<readonly AgentEvent[], Reading>();

export const landmarksOf = (events: readonly AgentEvent[]): Landmarks => {
  let reading = readings.get(events);
  // The list only grows; where it was put in another order it is read anew.
  if (reading === undefined || reading.read > events.length || reading.last !== events[reading.read - 1]) {
    reading = { remarks: [], statuses: [], stops: [], read: 0, last: undefined };
    readings.set(events, reading);
  }
  for (; reading.read < events.length; reading.read++) {
    const event = events[reading.read]!;
    if (event.type === 'agent.status') reading.statuses.push(event);
    else if (event.type === 'status' && event.state === 'stopping') reading.stops.push(event);
    else if (event.type === 'malformed' || event.type === 'unrecognised' || event.type === 'breach') reading.remarks.push(event);
    reading.last = event;
  }
  return reading;
};

/** Those remarks that fall into the attempt: each attempt of a run on one flow would tell of the same ones. */
export const remarksIn = ({ attempt, events, run }: Case): readonly AgentEvent[] => {
  const next = run.attempts[attempt.ordinal];
  return landmarksOf(events).remarks.filter(
    (event) =>
      attempt.flows.includes(event.flow) &&
      (attempt.ordinal === 1 || !isAfter(openingOf(attempt), event)) &&
      (next === undefined || isAfter(openingOf(next), event)),
  );
};

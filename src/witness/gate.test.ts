/** Which flows get through, in which order, and when the page is watched for them. */
import { describe, expect, it } from 'vitest';
import type { Unstamped } from '../link/messages';
import { createActivity } from './activity';
import { bundled } from './decoders';
import { createGate } from './gate';
import type { TapEntry } from './intake';
import { createReading } from './reading';
import { chunk, ended, head, kinds, later, opened, tick } from './tap-scene';

const setUp = () => {
  const out: Unstamped[] = [];
  const watch: boolean[] = [];
  let settled = 0;
  const timers = new Map<() => void, number>();
  const later = (what: () => void, ms: number) => {
    timers.set(what, ms);
    return () => timers.delete(what);
  };
  const activity = createActivity({
    later,
    began: () => undefined,
    watch: (on) => watch.push(on),
    settled: () => {
      settled++;
    },
  });
  const gate = createGate({
    emit: (entry) => out.push(entry),
    flows: activity,
    reading: createReading({ load: bundled, mappings: () => [] }),
    later,
  });
  const fire = (): void => {
    const due = [...timers.keys()];
    timers.clear();
    for (const task of due) task();
  };
  return { gate, activity, out, watch, timers, fire, settled: () => settled };
};

describe('what gets through', () => {
  it('keeps a stream of events that nobody understands, raw and at once', () => {
    const { gate, out, watch } = setUp();
    gate.record(opened('f'));
    expect(out).toEqual([]);
    gate.record(head('f', 'text/event-stream; charset=utf-8'));
    gate.record(chunk('f', 'data: {"nobody":"knows"}\n\n'));
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.chunk:f']);
    expect(watch).toEqual([true]);
  });

  it('drops a single JSON answer that no dialect knows, and never watches for it', () => {
    const { gate, out, watch, timers } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'application/json'));
    gate.record(chunk('f', '{"balance": 12, "secret": "x"}'));
    gate.record(ended('f'));
    gate.sighting(tick());
    expect(kinds(out)).toEqual(['tick']);
    expect(watch).toEqual([]);
    expect(timers.size).toBe(0);
  });

  it('drops JSON without a type that came in one line, and keeps lines that follow one another', () => {
    const { gate, out } = setUp();
    gate.record(opened('one'));
    gate.record(head('one', 'text/plain'));
    gate.record(chunk('one', '{"a":1}'));
    gate.record(ended('one'));
    gate.record(opened('two'));
    gate.record(head('two', 'text/plain'));
    gate.record(chunk('two', '{"a":1}\n{"a":2}\n'));
    gate.record(ended('two'));
    expect(kinds(out)).toEqual(['flow.opened:two', 'flow.head:two', 'flow.chunk:two', 'flow.ended:two']);
  });

  it('keeps a socket from its opening', () => {
    const { gate, out, watch } = setUp();
    gate.record(opened('s', 'websocket'));
    expect(kinds(out)).toEqual(['flow.opened:s']);
    expect(watch).toEqual([]);
  });
});

describe('order', () => {
  it('holds what came after an undecided flow, for a while', () => {
    const { gate, out, fire } = setUp();
    gate.record(opened('f'));
    gate.sighting(tick());
    gate.record(opened('s', 'websocket'));
    expect(out).toEqual([]);
    fire();
    expect(kinds(out)).toEqual(['tick', 'flow.opened:s']);
    gate.sighting(tick());
    expect(kinds(out)).toEqual(['tick', 'flow.opened:s', 'tick']);
    gate.record(head('f', 'text/event-stream'));
    expect(kinds(out).slice(3)).toEqual(['flow.opened:f', 'flow.head:f']);
  });

  it('keeps the order of what happened when the flow is decided in time', () => {
    const { gate, out } = setUp();
    gate.record(opened('f'));
    gate.sighting(tick());
    gate.record(head('f', 'application/x-ndjson'));
    expect(kinds(out)).toEqual(['flow.opened:f', 'tick', 'flow.head:f']);
    expect([...out].sort((a, b) => a.at - b.at)).toEqual(out);
  });
});

describe('when the document goes', () => {
  it('ends what is open, once, whatever the tap says of it later', () => {
    const { gate, out } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    gate.record(opened('g'));
    gate.leave(later());
    gate.record({ at: later(), type: 'flow.ended', flow: 'f', how: 'document-gone', code: null, detail: null });
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.ended:f']);
    // Back again, a flow that goes on is a new one.
    gate.record(opened('h'));
    gate.record(head('h', 'text/event-stream'));
    gate.record(ended('h'));
    expect(kinds(out).slice(3)).toEqual(['flow.opened:h', 'flow.head:h', 'flow.ended:h']);
  });
});

describe('when the page is watched', () => {
  it('lingers after the last request ended, and looks when it ends', () => {
    const { gate, watch, fire, settled } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    gate.record(ended('f'));
    expect(watch).toEqual([true]);
    expect(settled()).toBe(1);
    gate.record(opened('g'));
    gate.record(head('g', 'text/event-stream'));
    fire();
    expect(watch).toEqual([true]);
    gate.record(ended('g'));
    fire();
    expect(watch).toEqual([true, false]);
  });

  it('watches a socket that nobody understands only while it speaks', () => {
    const { gate, watch, fire } = setUp();
    gate.record(opened('s', 'websocket'));
    gate.record(chunk('s', 'ping'));
    expect(watch).toEqual([true]);
    fire();
    expect(watch).toEqual([true, false]);
  });

  it('watches a socket that a dialect understands from the first word of a run to some time after its last', () => {
    const { gate, out, watch, fire, settled } = setUp();
    gate.record(opened('s', 'websocket'));
    const say = (message: object): void => {
      gate.record({ ...chunk('s', JSON.stringify(message)), direction: 'received' } as TapEntry);
    };
    say({ type: 'session.created', event_id: 'e1', session: { type: 'realtime', id: 'sess_1', model: 'gpt-realtime' } });
    fire();
    expect(watch.at(-1) ?? false).toBe(false);
    const response = { id: 'resp_1', object: 'realtime.response', status_details: null, output: [], conversation_id: 'conv_1' };
    say({ type: 'response.created', event_id: 'e2', response: { ...response, status: 'in_progress' } });
    expect(watch.at(-1)).toBe(true);
    fire();
    expect(watch.at(-1)).toBe(true);
    say({ type: 'response.done', event_id: 'e3', response: { ...response, status: 'completed' } });
    expect(settled()).toBeGreaterThan(0);
    expect(watch.at(-1)).toBe(true);
    fire();
    expect(watch.at(-1)).toBe(false);
    expect(out).toHaveLength(4);
  });

  it('watches nothing while paused, and goes on afterwards', () => {
    const { gate, activity, watch } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    activity.pause(true);
    expect(watch).toEqual([true, false]);
    gate.record(opened('g'));
    gate.record(head('g', 'text/event-stream'));
    expect(watch).toEqual([true, false]);
    activity.pause(false);
    expect(watch).toEqual([true, false, true]);
  });
});

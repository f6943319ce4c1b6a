/** What happens while the decoders are on their way, when they never come, and what only a mapping file knows. */
import { describe, expect, it } from 'vitest';
import { carriesOneRun } from '../core/dialects/light';
import type { Unstamped } from '../link/messages';
import { createActivity } from './activity';
import { type Decoders, decoders, type LoadDecoders } from './decoders';
import { createGate } from './gate';
import { createReading } from './reading';
import { chunk, ended, head, kinds, later, opened } from './tap-scene';

const MAPPING = JSON.stringify({
  unsettledMapping: 1,
  id: 'house',
  recognise: { where: [{ path: 'ourKind' }] },
  type: 'ourKind',
  events: { reply: { does: 'replace', voice: 'assistant', text: 'words' } },
});

const setUp = (mappings: () => readonly string[] | Promise<readonly string[]> = () => [], spare = false) => {
  const out: Unstamped[] = [];
  const said: string[] = [];
  const timers = new Set<() => void>();
  const later = (what: () => void) => {
    timers.add(what);
    return () => timers.delete(what);
  };
  const activity = createActivity({
    later,
    began: () => said.push('began'),
    watch: (on) => said.push(on ? 'watch' : 'rest'),
    settled: () => said.push('settled'),
  });
  let asked = 0;
  let come: (decoders: Decoders | null) => void = () => undefined;
  let coming: Promise<Decoders | null> | null = null;
  const load: LoadDecoders = () => {
    asked++;
    coming ??= new Promise((resolve) => {
      come = resolve;
    });
    return coming;
  };
  const reading = createReading({ load, mappings, ...(spare && { oneRun: carriesOneRun }) });
  const gate = createGate({ emit: (entry) => out.push(entry), flows: activity, reading, later });
  return {
    gate,
    reading,
    out,
    said,
    asked: () => asked,
    fire() {
      const due = [...timers];
      timers.clear();
      for (const task of due) task();
    },
    async arrive(what: Decoders | null = decoders) {
      come(what);
      await coming;
      await Promise.resolve();
    },
  };
};

const COMPLETION =
  '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}';
const response = { id: 'resp_1', object: 'realtime.response', status_details: null, output: [], conversation_id: 'conv_1' };
const CREATED = JSON.stringify({ type: 'response.created', event_id: 'e2', response: { ...response, status: 'in_progress' } });
const DONE = JSON.stringify({ type: 'response.done', event_id: 'e3', response: { ...response, status: 'completed' } });

describe('asking for the decoders', () => {
  it('never does for ordinary answers, feeds and the sockets of a development server', () => {
    const { gate, asked, out } = setUp();
    gate.record(opened('json'));
    gate.record(head('json', 'application/json'));
    gate.record(chunk('json', '{"balance":12,"items":[{"type":"a"}]}'));
    gate.record(ended('json'));
    gate.record(opened('hot', 'websocket'));
    for (let i = 0; i < 20; i++) gate.record(chunk('hot', '{"type":"update","updates":[{"type":"js-update","timestamp":1}]}'));
    gate.record(opened('clock'));
    gate.record(head('clock', 'text/event-stream'));
    gate.record(chunk('clock', 'data: 12\n\ndata: 13\n\n'));
    expect(asked()).toBe(0);
    expect(kinds(out)).not.toContain('flow.chunk:json');
  });

  it('asks once, whatever comes', () => {
    const { gate, asked } = setUp();
    for (const flow of ['a', 'b']) {
      gate.record(opened(flow));
      gate.record(head(flow, 'text/event-stream'));
      gate.record(chunk(flow, 'data: {"a":1}\n\n'));
      gate.record(chunk(flow, 'data: {"a":2}\n\n'));
    }
    expect(asked()).toBe(2);
  });
});

describe('until they are here', () => {
  it('keeps a stream and watches from its head on', () => {
    const { gate, out, said } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    gate.record(chunk('f', 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'));
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.chunk:f']);
    expect(said).toEqual(['began', 'watch']);
  });

  it('holds a whole answer that tells, and keeps it when a dialect knows it', async () => {
    const { gate, out, said, arrive } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'application/json'));
    gate.record(chunk('f', COMPLETION));
    gate.record(ended('f'));
    expect(out).toEqual([]);
    await arrive();
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.chunk:f', 'flow.ended:f']);
    expect(said).toEqual(['began', 'watch', 'settled']);
  });

  it('drops a whole answer that told and was none', async () => {
    const { gate, out, arrive } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'application/json'));
    gate.record(chunk('f', '{"object":"quiz","choices":["a","b"]}'));
    gate.record(ended('f'));
    await arrive();
    gate.sighting({ at: later(), type: 'tick' });
    expect(kinds(out)).toEqual(['tick']);
  });

  it('counts a socket that tells as busy from that word on, and begins once', async () => {
    const { gate, said, fire, arrive } = setUp();
    gate.record(opened('s', 'websocket'));
    gate.record(chunk('s', CREATED));
    expect(said).toEqual(['began', 'watch']);
    // However long they take, it stays so.
    fire();
    expect(said).toEqual(['began', 'watch']);
    await arrive();
    expect(said).toEqual(['began', 'watch']);
    gate.record(chunk('s', DONE));
    expect(said).toEqual(['began', 'watch', 'settled']);
    fire();
    expect(said).toEqual(['began', 'watch', 'settled', 'rest']);
  });

  it('knows of a run that came and went meanwhile', async () => {
    const { gate, said, fire, arrive } = setUp();
    gate.record(opened('s', 'websocket'));
    gate.record(chunk('s', CREATED));
    gate.record(chunk('s', DONE));
    await arrive();
    expect(said).toEqual(['began', 'watch', 'settled']);
    fire();
    expect(said.at(-1)).toBe('rest');
  });

  it('lets a socket that nobody understands go by what it says', async () => {
    const { gate, said, fire, arrive } = setUp();
    gate.record(opened('s', 'websocket'));
    gate.record(chunk('s', '{"object":"quiz","choices":["a"]}'));
    await arrive();
    fire();
    expect(said).toEqual(['began', 'watch', 'rest']);
    gate.record(chunk('s', 'tick'));
    expect(said).toEqual(['began', 'watch', 'rest', 'began', 'watch']);
  });
});

describe('where decoders are dear, and one run a flow is all that can be', () => {
  const sparing = (mappings: readonly string[] = []) => setUp(() => mappings, true);
  const DELTA = '{"object":"chat.completion.chunk","choices":[{"delta":{"content":"Hi"}}]}';
  const STARTED = JSON.stringify({ type: 'RUN_STARTED', threadId: 't', runId: 'r' });

  it('asks for none, and watches as with them', () => {
    const { gate, said, out, asked, fire } = sparing();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    for (let i = 0; i < 20; i++) gate.record(chunk('f', `data: ${DELTA}\n\n`));
    expect(said).toEqual(['began', 'watch']);
    gate.record(ended('f'));
    expect(said).toEqual(['began', 'watch', 'settled']);
    fire();
    expect(said.at(-1)).toBe('rest');
    expect(asked()).toBe(0);
    expect(out).toHaveLength(23);
  });

  it('asks where the flow could outlive its runs, however late that is told', async () => {
    const { gate, said, asked, arrive } = sparing();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    gate.record(chunk('f', 'data: {"a":1}\n\n'.repeat(4)));
    expect(asked()).toBe(0);
    gate.record(chunk('f', `data: ${STARTED}\n\n`));
    expect(asked()).toBe(1);
    await arrive();
    gate.record(chunk('f', 'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n'));
    expect(said).toEqual(['began', 'watch', 'settled']);
  });

  it('asks for what no light test knows', () => {
    const { gate, asked } = sparing();
    gate.record(opened('f'));
    gate.record(head('f', 'text/event-stream'));
    for (let i = 0; i < 7; i++) gate.record(chunk('f', 'data: {"a":1}\n\n'));
    expect(asked()).toBe(0);
    gate.record(chunk('f', 'data: {"a":1}\n\n'));
    expect(asked()).toBe(1);
    gate.record(opened('g'));
    gate.record(head('g', 'text/event-stream'));
    gate.record(chunk('g', 'data: {"a":1}\n\n'));
    gate.record(ended('g'));
    expect(asked()).toBe(2);
  });

  it('asks where a mapping could know better, for sockets, and for a whole answer', () => {
    for (const [transport, type, text, mappings] of [
      ['fetch', 'text/event-stream', `data: ${DELTA}\n\n`, [MAPPING]],
      ['websocket', '', DELTA, []],
      ['fetch', 'application/json', COMPLETION, []],
    ] as const) {
      const { gate, asked } = sparing(mappings);
      gate.record(opened('f', transport));
      gate.record(head('f', type));
      gate.record(chunk('f', text));
      gate.record(ended('f'));
      expect(asked(), `${transport} ${type}`).toBe(1);
    }
  });

  it('keeps lines that could be a stream, and asks if there was but one', async () => {
    const two = sparing();
    two.gate.record(opened('f'));
    two.gate.record(head('f', 'text/plain'));
    two.gate.record(chunk('f', `${DELTA}\n`));
    expect(two.out).toEqual([]);
    two.gate.record(chunk('f', `${DELTA}\n`));
    two.gate.record(ended('f'));
    expect([two.asked(), two.out.length]).toEqual([0, 5]);

    const one = sparing();
    one.gate.record(opened('f'));
    one.gate.record(head('f', 'text/plain'));
    one.gate.record(chunk('f', `${DELTA}\n`));
    expect(one.asked()).toBe(0);
    one.gate.record(ended('f'));
    expect(one.asked()).toBe(1);
    await one.arrive();
    expect(one.out).toHaveLength(4);
  });
});

describe('when they cannot be had', () => {
  it('loses nothing, and says by a gap that nobody read', async () => {
    const { gate, out, said, fire, arrive } = setUp();
    gate.record(opened('f'));
    gate.record(head('f', 'application/json'));
    gate.record(chunk('f', COMPLETION));
    gate.record(ended('f'));
    gate.record(opened('s', 'websocket'));
    gate.record(chunk('s', CREATED));
    await arrive(null);
    expect(kinds(out).sort()).toEqual(
      ['flow.opened:f', 'flow.head:f', 'flow.chunk:f', 'flow.ended:f', 'gap:f', 'flow.opened:s', 'flow.chunk:s', 'gap:s'].sort(),
    );
    gate.record(chunk('s', DONE));
    expect(kinds(out).filter((kind) => kind === 'gap:s')).toHaveLength(1);
    fire();
    expect(said.at(-1)).toBe('rest');
  });
});

describe('what only a mapping knows', () => {
  const answer = (gate: ReturnType<typeof setUp>['gate'], flow = 'f'): void => {
    gate.record(opened(flow));
    gate.record(head(flow, 'application/json'));
    gate.record(chunk(flow, '{"ourKind":"reply","words":"Done."}'));
    gate.record(ended(flow));
  };

  it('is dropped without one', async () => {
    const { gate, out, asked } = setUp();
    answer(gate);
    expect(asked()).toBe(0);
    expect(out).toEqual([]);
  });

  it('is kept with one', async () => {
    const { gate, out, arrive } = setUp(() => [MAPPING]);
    answer(gate);
    await arrive();
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.chunk:f', 'flow.ended:f']);
  });

  it('is kept with one that storage gives only after the flow has ended', async () => {
    let give: (texts: readonly string[]) => void = () => undefined;
    const { gate, out, arrive } = setUp(() => new Promise((resolve) => (give = resolve)));
    answer(gate);
    give([MAPPING]);
    await Promise.resolve();
    await arrive();
    expect(kinds(out)).toEqual(['flow.opened:f', 'flow.head:f', 'flow.chunk:f', 'flow.ended:f']);
  });

  it('is dropped when storage fails, and when it holds none', async () => {
    const failing = setUp(() => Promise.reject(new Error('no storage')));
    answer(failing.gate);
    await Promise.resolve();
    await Promise.resolve();
    failing.gate.sighting({ at: later(), type: 'tick' });
    expect(kinds(failing.out)).toEqual(['tick']);
  });

  it('is kept from the moment on at which it is mapped', async () => {
    const { gate, reading, out, arrive } = setUp();
    answer(gate, 'f');
    reading.learn([MAPPING]);
    answer(gate, 'g');
    await arrive();
    expect(kinds(out)).toEqual(['flow.opened:g', 'flow.head:g', 'flow.chunk:g', 'flow.ended:g']);
  });
});

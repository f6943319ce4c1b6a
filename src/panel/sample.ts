/**
 * The sample: three invented runs of one page, as a capture. The first completes, the second waits for a person and the
 * page says so; the third is the bug this tool was made for: the last event before the connection closes is a reasoning
 * delta, and the page shows it as its final answer.
 *
 * `large` is one run of a given length, for trying out and measuring the panel itself.
 */
import type { Capture, FlowEnd, Region, Sighting, SightingBody, TapRecord, TapRecordBody } from '../core/model';

const DOCUMENT = 'sample';
const ORIGIN = 1_767_225_600_000;

type Body = TapRecordBody | SightingBody;

/** Entries with their numbers, in the order in which they are written down. */
const createPage = () => {
  const entries: (TapRecord | Sighting)[] = [];
  const texts = new Map<string, { region: Region; text: string }>();
  const put = (at: number, body: Body): void => {
    const seq = entries.length;
    entries.push(
      (body.type.startsWith('sight.') ? { ...body, seq, at, document: DOCUMENT } : { ...body, seq, at }) as TapRecord | Sighting,
    );
  };
  const cue = (
    at: number,
    key: string,
    kind: 'control' | 'composer' | 'busy',
    label: string | null,
    value: string | null,
    rest = false,
  ): void => put(at, { type: 'sight.cue', key, kind, label, region: null, value, rest });
  return {
    entries,
    put,
    cue,
    show(at: number, key: string, text: string, more: Partial<Region> = {}): void {
      const known = texts.get(key);
      const region: Region = known?.region ?? {
        key,
        path: `main › article › ${key}`,
        role: null,
        label: null,
        presentedAs: 'unknown',
        ...more,
      };
      const before = known?.text ?? '';
      texts.set(key, { region, text });
      const grown = text.startsWith(before);
      put(at, {
        type: 'sight.text',
        region,
        change: known === undefined ? 'appeared' : 'changed',
        edit: grown
          ? { at: before.length, removed: 0, inserted: text.slice(before.length) }
          : { at: 0, removed: before.length, inserted: text },
        length: text.length,
        visible: true,
        rest: false,
      });
    },
    rested(at: number, key: string): void {
      const { region, text } = texts.get(key)!;
      put(at, { type: 'sight.text', region, change: 'rested', edit: null, length: text.length, visible: true, rest: false });
    },
    rest(at: number): void {
      put(at, { type: 'sight.watch', state: 'rest', visible: true });
      cue(at, 'composer', 'composer', null, 'enabled', true);
      cue(at, 'send', 'control', 'Send', 'enabled', true);
    },
    busy(at: number): void {
      cue(at, 'send', 'control', 'Send', null);
      cue(at, 'stop', 'control', 'Stop', 'enabled');
      cue(at, 'busy', 'busy', null, 'true');
    },
    idle(at: number): void {
      cue(at, 'busy', 'busy', null, null);
      cue(at, 'stop', 'control', 'Stop', null);
      cue(at, 'send', 'control', 'Send', 'enabled');
    },
  };
};
type Page = ReturnType<typeof createPage>;

/** One run of a Kestrel Runner behind an app's own route. */
const openRun = (page: Page, at: number, flow: string, run: string, message: string) => {
  let events = 0;
  let sequence = 0;
  const send = (time: number, type: string, payload: object): void => {
    const id = `${run.slice(0, 8)}-${String(++events).padStart(4, '0')}`;
    const data = JSON.stringify({
      id,
      type,
      ts: new Date(ORIGIN + time).toISOString(),
      runId: run,
      sessionId: 'ses-41f0',
      commandId: `cmd-${flow}`,
      payload,
    });
    page.put(time, {
      type: 'flow.chunk',
      flow,
      direction: 'received',
      text: `event: ${type}\ndata: ${data}\n\n`,
      encoding: 'text',
      event: null,
      id: null,
    });
  };
  const update = (time: number, more: object): object => ({
    update: { version: 'v1', runId: run, sessionId: 'ses-41f0', ts: new Date(ORIGIN + time).toISOString(), seq: ++sequence, ...more },
  });
  page.put(at, {
    type: 'flow.opened',
    flow,
    document: DOCUMENT,
    transport: 'fetch',
    method: 'POST',
    url: 'https://ops.example/api/copilot/stream',
    requestHeaders: { accept: 'text/event-stream' },
    requestBody: JSON.stringify({ sessionId: 'ses-41f0', message }),
  });
  page.put(at + 38, { type: 'flow.head', flow, status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  return {
    started: (time: number) =>
      send(time, 'run.started', { sessionId: 'ses-41f0', runId: run, eventType: 'user.message', interactionMode: 'build' }),
    progress: (time: number, code: string, text: string, kind = 'stage') =>
      send(time, 'run.progress', update(time, { kind, phase: 'agent', code, message: text, persist: kind !== 'heartbeat' })),
    log: (time: number, eventName: string, level = 'INFO') =>
      send(time, 'run.log', { entry: { runId: run, sessionId: 'ses-41f0', eventName, metadata: {}, level } }),
    reasoning: (time: number, event: string, delta?: string) =>
      send(
        time,
        `run.model.reasoning.${event}`,
        update(time, {
          event,
          attempt: 1,
          format: 'summary',
          contentState: 'live',
          ...(delta === undefined ? {} : { delta }),
          stepIndex: 0,
          stepAgent: 'agent.loop',
        }),
      ),
    agent: (time: number, text: string) =>
      send(time, 'run.agent_progress', update(time, { message: text, stepIndex: 0, stepAgent: 'agent.loop' })),
    tool: (time: number, phase: 'started' | 'completed' | 'failed', name: string, more: object) =>
      send(time, `run.tool.${phase}`, update(time, { toolCallId: `tool:${name}:${flow}`, toolName: name, phase, ...more })),
    completed: (time: number, status: 'COMPLETED' | 'WAITING', assistantText: string | null, waitFor?: object) =>
      send(time, 'run.completed', {
        result: {
          output: {
            status,
            sessionId: 'ses-41f0',
            runId: run,
            errors: [],
            ...(waitFor === undefined ? {} : { waitFor }),
            telemetry: { stepsExecuted: 2, toolCalls: 1, modelCalls: 1, durationMs: time - at, inputTokens: 2210, outputTokens: 184 },
          },
          assistantText,
        },
      }),
    ended: (time: number, how: FlowEnd = 'eof') => page.put(time, { type: 'flow.ended', flow, how, code: null, detail: null }),
  };
};

/** Streams words as deltas with an uneven, repeatable rhythm; calls back with what is there so far. Returns the end time. */
const stream = (
  from: number,
  text: string,
  say: (at: number, delta: string) => void,
  shown: ((at: number, text: string) => void) | null,
): number => {
  const words = text.match(/\S+\s*/gu) ?? [];
  let at = from;
  let sum = '';
  words.forEach((word, index) => {
    at += 24 + ((index * 37) % 61) + (word.trimEnd().endsWith('.') ? 120 : 0);
    say(at, word);
    sum += word;
    if (shown !== null && index % 3 === 2) shown(at + 14, sum.trimEnd());
  });
  shown?.(at + 16, text);
  return at;
};

const completedRun = (page: Page): void => {
  page.show(900, 'user-1', 'How long do we keep audit logs?', { presentedAs: 'user', path: 'main › article.user › p' });
  const run = openRun(page, 1000, 'flow-1', 'c11b6a9d-f650-4a7a-be9f-b29653cdf9f1', 'How long do we keep audit logs?');
  page.busy(1010);
  run.started(1052);
  run.log(1060, 'run_started');
  run.progress(1071, 'STEP_STARTED', "Started step 'agent.loop'.");
  run.progress(1080, 'MODEL_CALL_STARTED', 'Calling decision model…');
  run.reasoning(1402, 'started');
  const thought = 'The retention setting lives in the platform config. I will read it before I answer.';
  const at = stream(
    1402,
    thought,
    (time, delta) => run.reasoning(time, 'delta', delta),
    (time, text) =>
      page.show(time, 'thinking-1', text, { presentedAs: 'reasoning', label: 'Thinking', path: 'main › article › details › p' }),
  );
  run.reasoning(at + 30, 'completed');
  run.agent(at + 60, 'Reading the retention config first.');
  page.show(at + 80, 'progress-1', 'Reading the retention config first.', {
    presentedAs: 'progress',
    role: 'status',
    path: 'main › article › [role=status]',
  });
  run.tool(at + 95, 'started', 'fs.read_text', { input: { path: 'config/retention.yaml' } });
  run.tool(at + 133, 'completed', 'fs.read_text', { output: { text: 'audit_logs: { keep_days: 90 }' }, durationMs: 38 });
  run.progress(at + 900, 'RUN_STILL_ACTIVE', 'Run is still active.', 'heartbeat');
  run.completed(at + 1640, 'COMPLETED', 'Audit logs are kept for 90 days.');
  page.show(at + 1660, 'answer-1', 'Audit logs are kept for 90 days.', { presentedAs: 'assistant', path: 'main › article › .answer' });
  page.idle(at + 1672);
  run.ended(at + 1690);
  page.rested(at + 1900, 'answer-1');
};

const waitingRun = (page: Page): void => {
  const question = 'Which region should the export use: eu-west or us-east?';
  page.show(9900, 'user-2', 'Export the audit log of last week.', { presentedAs: 'user', path: 'main › article.user › p' });
  const run = openRun(page, 10_000, 'flow-2', 'c0ff451f-e10c-456b-8adb-0d7c0640b20a', 'Export the audit log of last week.');
  page.busy(10_010);
  run.started(10_048);
  run.progress(10_070, 'MODEL_CALL_STARTED', 'Calling decision model…');
  run.reasoning(10_410, 'started');
  const at = stream(
    10_410,
    'No region was named. There are two. I have to ask.',
    (time, delta) => run.reasoning(time, 'delta', delta),
    (time, text) =>
      page.show(time, 'thinking-2', text, { presentedAs: 'reasoning', label: 'Thinking', path: 'main › article › details › p' }),
  );
  run.reasoning(at + 25, 'completed');
  run.progress(at + 300, 'WAITING_FOR_EVENT', 'Waiting for the user.', 'waiting');
  run.completed(at + 340, 'WAITING', question, {
    kind: 'user',
    eventType: 'user.reply',
    interaction: { version: 'v1', requestId: 'req-7d21', kind: 'user_input', eventType: 'user.reply', prompt: question },
  });
  page.show(at + 362, 'question-2', question, {
    presentedAs: 'interaction',
    role: 'form',
    label: 'Question',
    path: 'main › article › form › p',
  });
  page.cue(at + 364, 'region-eu', 'control', 'eu-west', 'enabled');
  page.cue(at + 364, 'region-us', 'control', 'us-east', 'enabled');
  page.cue(at + 366, 'busy', 'busy', null, null);
  page.cue(at + 366, 'stop', 'control', 'Stop', null);
  run.ended(at + 380);
  page.cue(17_000, 'region-eu', 'control', 'eu-west', null);
  page.cue(17_000, 'region-us', 'control', 'us-east', null);
  page.cue(17_000, 'send', 'control', 'Send', 'enabled');
};

const cutRun = (page: Page): void => {
  page.show(19_900, 'user-3', 'Move the schema before the 0.8 upgrade. Is it safe?', {
    presentedAs: 'user',
    path: 'main › article.user › p',
  });
  const run = openRun(
    page,
    20_000,
    'flow-3',
    '8f2c1d90-6a4e-4b8e-9a57-0d3e5c7f2b41',
    'Move the schema before the 0.8 upgrade. Is it safe?',
  );
  page.busy(20_011);
  run.started(20_046);
  run.log(20_055, 'run_started');
  run.progress(20_066, 'STEP_SELECTED', "Selected step 'agent.loop'.");
  run.progress(20_074, 'STEP_STARTED', "Started step 'agent.loop'.");
  run.progress(20_090, 'MODEL_CALL_STARTED', 'Calling decision model…');
  run.reasoning(21_004, 'started');
  const answer = { path: 'main › article:nth-child(6) › .bubble' };
  const first =
    'The user wants the schema moved before the 0.8 upgrade. The migration touches two tables, so I should read it before I say that it is safe.';
  let at = stream(
    21_004,
    first,
    (time, delta) => run.reasoning(time, 'delta', delta),
    (time, text) => page.show(time, 'bubble-3', text, answer),
  );
  run.reasoning(at + 22, 'completed');
  run.progress(at + 40, 'MODEL_CALL_DONE', 'Model response received.');
  run.tool(at + 61, 'started', 'fs.read_text', { input: { path: 'db/0042_move_schema.sql' } });
  run.tool(at + 453, 'completed', 'fs.read_text', {
    output: { text: 'ALTER TABLE accounts ADD COLUMN tier text;\nUPDATE accounts SET tier = plan;\n-- 118 lines' },
    durationMs: 392,
  });
  run.agent(at + 541, 'Read the migration; checking it against the live schema.');
  run.progress(at + 560, 'MODEL_CALL_STARTED', 'Calling decision model…');
  run.reasoning(at + 1_320, 'started');
  const second = 'The migration adds a column and rewrites one. Two columns differ from the live schema. I should verify the migration.';
  at = stream(
    at + 1_320,
    second,
    (time, delta) => run.reasoning(time, 'delta', delta),
    (time, text) => page.show(time, 'bubble-3', text, answer),
  );
  run.ended(at + 29);
  page.idle(at + 58);
  page.cue(at + 64, 'copy-3', 'control', 'Copy', 'enabled');
  page.rested(at + 260, 'bubble-3');
  page.put(at + 2_600, { type: 'tick' });
};

const captureOf = (entries: Capture['entries']): Capture => ({
  format: 'unsettled-capture',
  version: 1,
  createdAt: new Date(ORIGIN).toISOString(),
  producer: { name: 'unsettled', version: '0', browser: null },
  documents: [{ key: DOCUMENT, url: 'https://ops.example/chat', topLevel: true, timeOrigin: ORIGIN }],
  entries,
  redaction: null,
});

/** One run of `events` events: reasoning and progress by turns, as long agents produce them. Goes on when asked to. */
function* largeRun(page: ReturnType<typeof createPage>, events: number): Generator<void> {
  const run = openRun(page, 100, 'flow-large', '5d0e9a3c-88b1-4f0e-b6d2-61f2a7c4e903', 'Go through the whole repository.');
  run.started(150);
  let at = 160;
  for (let sent = 2; sent < events - 1; sent++) {
    at += 1 + (sent % 7);
    const step = sent % 400;
    if (step === 0) run.reasoning(at, 'started');
    else if (step < 340) run.reasoning(at, 'delta', `word${sent % 977} of step ${Math.floor(sent / 400)} `);
    else if (step === 340) run.reasoning(at, 'completed');
    else if (step === 341) run.tool(at, 'started', 'fs.read_text', { input: { path: `src/file-${sent}.ts` } });
    else if (step === 342) run.tool(at, 'completed', 'fs.read_text', { output: { text: 'ok' }, durationMs: 3 });
    else if (step % 11 === 0) run.log(at, `event_${sent}`);
    else run.progress(at, 'STEP_COMMITTED', `Committed part ${sent} of the work.`);
    yield;
  }
  run.completed(at + 20, 'COMPLETED', 'All files were read.');
  run.ended(at + 40);
}

export const largeSample = (events: number): Capture => {
  const page = createPage();
  for (const _ of largeRun(page, events));
  return captureOf(page.entries);
};

/** The same as it is made, for who stamps entries anew: nothing is held here of what was taken. */
export const largeStream = (events: number): Stream => {
  const page = createPage();
  const made = largeRun(page, events);
  let taken = 0;
  let over = false;
  return {
    documents: captureOf([]).documents,
    take(upTo) {
      while (!over && taken + page.entries.length < upTo) over = made.next().done === true;
      const entries = page.entries.splice(0, Math.max(0, upTo - taken));
      taken += entries.length;
      return entries;
    },
    get over() {
      return over && page.entries.length === 0;
    },
  };
};

/** What a page sends, bit by bit. */
export interface Stream {
  readonly documents: Capture['documents'];
  /** What there is up to this many entries since the beginning, and was not taken before. */
  take(upTo: number): Capture['entries'];
  readonly over: boolean;
}
export const streamOf = ({ documents, entries }: Capture): Stream => {
  let taken = 0;
  return {
    documents,
    take(upTo) {
      const some = entries.slice(taken, upTo);
      taken += some.length;
      return some;
    },
    get over() {
      return taken === entries.length;
    },
  };
};

export const SAMPLES = {
  'kestrel-cut': (): Capture => {
    const page = createPage();
    page.rest(0);
    completedRun(page);
    waitingRun(page);
    cutRun(page);
    return captureOf(page.entries);
  },
  'large-10k': (): Capture => largeSample(10_000),
  'large-100k': (): Capture => largeSample(100_000),
} as const;

export type SampleName = keyof typeof SAMPLES;

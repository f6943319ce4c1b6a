/**
 * For tests, benches and `scripts/finding-fixtures`: a scripted page and its streams, written as a capture.
 *
 * A scene has a clock that only moves when told, one default flow and one document. Regions are told by their whole text;
 * the edit is worked out. Says nothing about verdicts.
 */
import type { Capture, CueKind, FlowEnd, GapReason, Region, Sighting, SightingBody, TapRecord, TapRecordBody, Transport } from '../model';

export type SceneEntry = TapRecord | Sighting;

export interface FlowSetup {
  readonly url?: string;
  readonly method?: string;
  readonly transport?: Transport;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface RegionSetup {
  readonly path?: string;
  readonly role?: string | null;
  readonly label?: string | null;
  readonly presentedAs?: Region['presentedAs'];
  readonly visible?: boolean;
  readonly rest?: boolean;
}

const DOCUMENT = 'doc-1';
export const SSE: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' };
/** Head of the chat streams most scenes speak. */
export const CHAT: Readonly<Record<string, string>> = { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' };

export class Scene {
  readonly entries: SceneEntry[] = [];
  private count = 0;
  private time = 0;
  private readonly texts = new Map<string, { text: string; region: Region; visible: boolean }>();
  /** The page's address. */
  private readonly url: string;

  constructor(url = 'https://app.example/chat') {
    this.url = url;
  }

  private put(body: TapRecordBody | (SightingBody & { readonly document: string })): this {
    this.entries.push({ seq: this.count++, at: this.time, ...body } as SceneEntry);
    return this;
  }

  private sight(body: SightingBody): this {
    return this.put({ document: DOCUMENT, ...body });
  }

  /** Sets the clock. */
  at(time: number): this {
    this.time = time;
    return this;
  }

  wait(time: number): this {
    this.time += time;
    return this;
  }

  // The wire.

  open(flow = 'flow-1', setup: FlowSetup = {}): this {
    return this.ask(flow, setup).put({ type: 'flow.head', flow, status: setup.status ?? 200, headers: setup.headers ?? CHAT });
  }

  /** A request that has no answer yet. */
  ask(flow: string, setup: FlowSetup = {}): this {
    return this.put({
      type: 'flow.opened',
      flow,
      document: DOCUMENT,
      transport: setup.transport ?? 'fetch',
      method: setup.method ?? 'POST',
      url: setup.url ?? 'https://app.example/api/chat',
      requestHeaders: {},
      requestBody: setup.body === undefined ? null : typeof setup.body === 'string' ? setup.body : JSON.stringify(setup.body),
    });
  }

  raw(text: string, flow = 'flow-1'): this {
    return this.put({ type: 'flow.chunk', flow, direction: 'received', text, encoding: 'text', event: null, id: null });
  }

  /** One SSE event per value, each in a chunk of its own. Strings are data as they are. */
  say(...values: unknown[]): this {
    for (const value of values) this.raw(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
    return this;
  }

  sayOn(flow: string, ...values: unknown[]): this {
    for (const value of values) this.raw(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`, flow);
    return this;
  }

  send(text: string, flow = 'flow-1'): this {
    return this.put({ type: 'flow.chunk', flow, direction: 'sent', text, encoding: 'text', event: null, id: null });
  }

  end(how: FlowEnd = 'eof', flow = 'flow-1'): this {
    return this.put({ type: 'flow.ended', flow, how, code: null, detail: null });
  }

  gap(reason: GapReason, flow: string | null = 'flow-1', lost = 1): this {
    return this.put({ type: 'gap', flow, reason, lost });
  }

  tick(): this {
    return this.put({ type: 'tick' });
  }

  // The screen.

  /** The picture of the page at rest: a composer and a send button, both enabled. */
  rest(): this {
    this.sight({ type: 'sight.watch', state: 'rest', visible: true });
    this.cue('composer', 'composer', 'enabled', null, { rest: true });
    return this.cue('send', 'control', 'enabled', 'Send', { rest: true });
  }

  watch(state: 'rest' | 'started' | 'stopped'): this {
    return this.sight({ type: 'sight.watch', state, visible: true });
  }

  cue(key: string, kind: CueKind, value: string | null, label: string | null = null, more: { region?: string; rest?: boolean } = {}): this {
    return this.sight({ type: 'sight.cue', key, kind, label, region: more.region ?? null, value, rest: more.rest ?? false });
  }

  /** Send gives way to stop. */
  busy(): this {
    return this.cue('send', 'control', null, 'Send').cue('stop', 'control', 'enabled', 'Stop');
  }

  /** Stop gives way to send. */
  idle(): this {
    return this.cue('stop', 'control', null, 'Stop').cue('send', 'control', 'enabled', 'Send');
  }

  /** The region shows this text now. */
  show(key: string, text: string, setup: RegionSetup = {}): this {
    const known = this.texts.get(key);
    const region: Region = {
      key,
      path: setup.path ?? known?.region.path ?? 'main › article › p',
      role: setup.role ?? known?.region.role ?? null,
      label: setup.label ?? known?.region.label ?? null,
      presentedAs: setup.presentedAs ?? known?.region.presentedAs ?? 'unknown',
    };
    const visible = setup.visible ?? known?.visible ?? true;
    const before = known?.text ?? '';
    let at = 0;
    while (at < before.length && at < text.length && before[at] === text[at]) at++;
    let tail = 0;
    while (tail < before.length - at && tail < text.length - at && before[before.length - 1 - tail] === text[text.length - 1 - tail])
      tail++;
    this.texts.set(key, { text, region, visible });
    return this.sight({
      type: 'sight.text',
      region,
      change: known === undefined ? 'appeared' : 'changed',
      edit: { at, removed: before.length - at - tail, inserted: text.slice(at, text.length - tail) },
      length: text.length,
      visible,
      rest: setup.rest ?? false,
    });
  }

  /** The regions' texts hold still. */
  still(...keys: string[]): this {
    for (const key of keys) {
      const { region, text, visible } = this.texts.get(key)!;
      this.sight({ type: 'sight.text', region, change: 'rested', edit: null, length: text.length, visible, rest: false });
    }
    return this;
  }

  hide(key: string): this {
    const { region } = this.texts.get(key)!;
    this.texts.delete(key);
    return this.sight({ type: 'sight.text', region, change: 'removed', edit: null, length: 0, visible: false, rest: false });
  }

  capture(): Capture {
    return {
      format: 'unsettled-capture',
      version: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
      producer: { name: 'unsettled', version: '0.1.0', browser: null },
      documents: [{ key: DOCUMENT, url: this.url, topLevel: true, timeOrigin: 1767225600000 }],
      entries: this.entries,
      redaction: null,
    };
  }

  /** The capture as a file. */
  text(): string {
    return this.header() + this.lines(this.entries);
  }

  /** The first line of the file. */
  header(): string {
    const { entries: _, ...header } = this.capture();
    return this.lines([header]);
  }

  /** The lines of what was put since the last time, which it then forgets: for files that are longer than should be held. */
  more(): string {
    return this.lines(this.entries.splice(0));
  }

  private lines(values: readonly object[]): string {
    return values.map((value) => `${JSON.stringify(value)}\n`).join('');
  }
}

export const scene = (url?: string): Scene => new Scene(url);

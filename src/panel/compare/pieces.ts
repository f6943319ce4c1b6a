/**
 * A run as a list of what can be told apart in it and found again in another run: its parts, tool calls, questions,
 * notes and endings, in order of arrival, each with its words and its place in the run's own time.
 */
import type { AgentEvent, Attempt, Run, Seq } from '../../core/model';
import type { Feed } from '../feed';
import { endingOf } from '../outcome';
import { type Lane, laneOf } from '../voices';

export interface Piece {
  readonly kind: 'part' | 'tool' | 'ask' | 'note' | 'end';
  readonly lane: Lane;
  /** What it is called: a tool's name, a question's kind, an outcome; '' for parts. */
  readonly name: string;
  readonly text: string;
  /** Milliseconds since the run opened. */
  readonly at: number;
  /** How long it took; null: not known, or it takes no time. */
  readonly lasted: number | null;
  readonly standing: 'provisional' | 'committed' | 'settling' | 'withdrawn';
  readonly seq: Seq;
}

const SPOKEN: ReadonlySet<Lane> = new Set(['progress', 'assistant', 'reasoning', 'tool', 'interaction', 'user', 'unrecognised']);

interface Call {
  readonly event: AgentEvent;
  readonly name: string;
  input: string;
  output: string | null;
  failed: boolean;
  until: number | null;
}

const callKey = (event: AgentEvent): string => event.identity.toolCall ?? event.part ?? `${event.flow}:${event.raw}`;

const endOf = (attempt: Attempt, at: (seq: Seq, time: number) => number): Piece | null => {
  const { settlement } = attempt;
  if (settlement === null) return null;
  return {
    kind: 'end',
    lane: 'terminal',
    name: endingOf(settlement),
    text: [settlement.finish?.raw ?? null, settlement.error].filter((word) => word !== null).join(': '),
    at: at(settlement.seq, settlement.at),
    lasted: null,
    standing: 'settling',
    seq: settlement.seq,
  };
};

/** All pieces of a run, in order of arrival. */
export const piecesOf = (feed: Feed, run: Run): readonly Piece[] => {
  const base = feed.timeOf(run.openedSeq, run.openedAt);
  const at = (seq: Seq, time: number): number => feed.timeOf(seq, time) - base;
  const pieces: Piece[] = [];
  for (const attempt of run.attempts) {
    for (const part of attempt.parts) {
      const from = at(part.openedSeq, part.openedAt);
      pieces.push({
        kind: 'part',
        lane: part.voice,
        name: '',
        text: part.text,
        at: from,
        lasted: at(part.lastSeq, part.lastAt) - from,
        standing: part.withdrawn ? 'withdrawn' : part.standing,
        seq: part.openedSeq,
      });
    }
    const end = endOf(attempt, at);
    if (end !== null) pieces.push(end);
  }
  const calls = new Map<string, Call>();
  const asks = new Map<string, { event: AgentEvent; kind: string; prompt: string; until: number | null }>();
  const timeOf = (event: AgentEvent): number => feed.timeOfFlow(event.flow, event.at) - base;
  for (const event of feed.session.eventsOf(run.key)) {
    switch (event.type) {
      case 'tool.called':
        calls.set(callKey(event), { event, name: event.name, input: event.input ?? '', output: null, failed: false, until: null });
        break;
      case 'tool.input': {
        const call = calls.get(callKey(event));
        if (call !== undefined) call.input += event.text;
        break;
      }
      case 'tool.returned': {
        const call = calls.get(callKey(event));
        if (call === undefined || event.preliminary) break;
        call.output = event.output;
        call.failed = event.failed;
        call.until = timeOf(event);
        break;
      }
      case 'asked':
        asks.set(event.request, { event, kind: event.kind, prompt: event.prompt ?? '', until: null });
        break;
      case 'answered': {
        const ask = asks.get(event.request);
        if (ask !== undefined) ask.until = timeOf(event);
        break;
      }
      case 'note':
      case 'status': {
        const text = event.type === 'note' ? event.text : event.label;
        if (text === null || text === '' || !SPOKEN.has(laneOf(event))) break;
        pieces.push({
          kind: 'note',
          lane: laneOf(event),
          name: event.raw,
          text,
          at: timeOf(event),
          lasted: null,
          standing: event.standing,
          seq: event.seq,
        });
        break;
      }
      case 'breach':
      case 'malformed':
        pieces.push({
          kind: 'note',
          lane: laneOf(event),
          name: event.type,
          text: event.detail,
          at: timeOf(event),
          lasted: null,
          standing: event.standing,
          seq: event.seq,
        });
        break;
      default:
        break;
    }
  }
  for (const { event, name, input, output, failed, until } of calls.values())
    pieces.push({
      kind: 'tool',
      lane: 'tool',
      name,
      text: `${input}${output === null ? '' : `\n${failed ? '✗' : '→'} ${output}`}`,
      at: timeOf(event),
      lasted: until === null ? null : until - timeOf(event),
      standing: until === null ? 'provisional' : 'committed',
      seq: event.seq,
    });
  for (const { event, kind, prompt, until } of asks.values())
    pieces.push({
      kind: 'ask',
      lane: 'interaction',
      name: kind,
      text: prompt,
      at: timeOf(event),
      lasted: until === null ? null : until - timeOf(event),
      standing: event.standing,
      seq: event.seq,
    });
  return pieces.sort((a, b) => a.seq - b.seq);
};

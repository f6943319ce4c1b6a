/**
 * One more piece of a text. Nearly all events of a long run are such, and all that a piece has of its own is where it came and
 * what it says; the rest stands once, for as many pieces as it holds for. So an event takes less than half of the memory, and
 * memory is what most of the time goes into: an event costs less to make than to keep out of the collector's way.
 *
 * It reads like any other event, and makes the same JSON. Its members are inherited: who lists or copies them asks `membersOf`.
 */
import type { AgentEvent, AgentEventBody, AgentEventHead } from './model';

/** The bodies that are a piece of text and nothing else. */
type TextBody = Extract<AgentEventBody, { readonly type: 'part.delta' | 'tool.input' }>;

/** What neighbouring pieces have in common. */
export type TextHead = Omit<AgentEventHead, 'seq' | 'at' | 'ordinal' | 'frame' | 'wireId' | 'order'> & Pick<TextBody, 'type'>;

export class TextEvent implements AgentEventHead {
  constructor(
    private readonly head: TextHead,
    readonly seq: AgentEventHead['seq'],
    readonly at: AgentEventHead['at'],
    readonly ordinal: number,
    readonly frame: number,
    readonly wireId: string | null,
    readonly text: string,
  ) {}
  get flow() {
    return this.head.flow;
  }
  get dialect() {
    return this.head.dialect;
  }
  get raw() {
    return this.head.raw;
  }
  get voice() {
    return this.head.voice;
  }
  get voiceBySaying() {
    return this.head.voiceBySaying;
  }
  get standing() {
    return this.head.standing;
  }
  get identity() {
    return this.head.identity;
  }
  get lane() {
    return this.head.lane;
  }
  get part() {
    return this.head.part;
  }
  get type() {
    return this.head.type;
  }
  /** A piece with a place in its conversation's log is an event with all members of its own. */
  get order() {
    return null;
  }
  toJSON(): AgentEvent {
    const { seq, at, flow, ordinal, frame, dialect, raw, voice, voiceBySaying, standing, identity, lane, part, wireId, order } = this;
    return {
      ...{ seq, at, flow, ordinal, frame, dialect, raw, voice, voiceBySaying, standing, identity, lane, part, wireId, order },
      ...{ type: this.type, text: this.text },
    };
  }
}

/** The event with all members of its own, for who lists or copies them. */
export const membersOf = (event: AgentEvent): AgentEvent => (event instanceof TextEvent ? event.toJSON() : event);

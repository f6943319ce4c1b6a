/**
 * A further piece of a text. Nearly all events of a long run are such, and all that a piece has of its own is where it came and
 * what it says; the rest is as the first piece of the text said it, and is read from there. So an event takes less than half of
 * the memory, and memory is what most of the time goes into: an event costs less to make than to keep.
 *
 * It reads like any other event, and makes the same JSON. Its members are inherited: who lists or copies them asks `membersOf`.
 */
import type { AgentEvent, AgentEventHead } from './model';

/** An event that is a piece of text and nothing else, with all members of its own. */
export type WholeText = Extract<AgentEvent, { readonly type: 'part.delta' | 'tool.input' }>;

export class TextEvent implements AgentEventHead {
  constructor(
    private readonly first: WholeText,
    readonly seq: AgentEventHead['seq'],
    readonly at: AgentEventHead['at'],
    readonly ordinal: number,
    readonly frame: number,
    readonly wireId: string | null,
    readonly text: string,
  ) {}
  get flow() {
    return this.first.flow;
  }
  get dialect() {
    return this.first.dialect;
  }
  get raw() {
    return this.first.raw;
  }
  get voice() {
    return this.first.voice;
  }
  get voiceBySaying() {
    return this.first.voiceBySaying;
  }
  get standing() {
    return this.first.standing;
  }
  get identity() {
    return this.first.identity;
  }
  get lane() {
    return this.first.lane;
  }
  get part() {
    return this.first.part;
  }
  get type() {
    return this.first.type;
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

/**
 * A frame as its framer cuts it. It is made with room for what the engine writes into it (flow, index, seq, at, direction): one
 * object a frame, of one shape, whatever framed it.
 */
import type { WireFrame } from '../model';

/** A frame before the engine stamps flow, index, seq, at and direction on it. */
export type RawFrame = Omit<WireFrame, 'flow' | 'index' | 'seq' | 'at' | 'direction'>;

export const rawFrame = (
  framing: WireFrame['framing'],
  data: string,
  start: number,
  end: number,
  complete = true,
  event: string | null = null,
  id: string | null = null,
  kind: WireFrame['kind'] = 'data',
  encoding: WireFrame['encoding'] = 'text',
): RawFrame => {
  const frame: WireFrame = {
    flow: '',
    index: 0,
    seq: 0,
    at: 0,
    direction: 'received',
    framing,
    kind,
    event,
    id,
    data,
    encoding,
    start,
    end,
    complete,
  };
  return frame;
};

/** Writes into the frame what only the engine knows. */
export const stampFrame = (
  raw: RawFrame,
  flow: string,
  index: number,
  seq: number,
  at: number,
  direction: WireFrame['direction'],
): WireFrame => {
  const frame = raw as { -readonly [K in keyof WireFrame]: WireFrame[K] };
  frame.flow = flow;
  frame.index = index;
  frame.seq = seq;
  frame.at = at;
  frame.direction = direction;
  return frame;
};

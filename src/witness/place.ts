/**
 * Where an element stands and how much of it can be seen: its box, cut to whatever clips it on the way up. For outlining it;
 * no sighting rests on this.
 */
import { holderOf } from './realms';
import { parentOf } from './surface';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Deeper documents are clipped by nothing that is asked for. */
const DEPTH = 60;

/** What may hide parts of an element: whatever scrolls or cuts off around it, up to what is fixed to the window. */
export const clippersOf = (element: Element): readonly Element[] => {
  const found: Element[] = [];
  let fixed = getComputedStyle(element).position === 'fixed';
  for (let up = parentOf(element), n = 0; up !== null && !fixed && n < DEPTH; up = parentOf(up), n++) {
    // What these clip is the window, and what is outside of it is drawn by nobody.
    if (up.localName === 'body' || up.localName === 'html') break;
    const { overflowX, overflowY, position } = getComputedStyle(up);
    if (overflowX !== 'visible' || overflowY !== 'visible') found.push(up);
    fixed = position === 'fixed';
  }
  return found;
};

const extentOf = (element: Element): DOMRect => {
  const box = element.getBoundingClientRect();
  if (box.width > 0 || box.height > 0 || element.firstChild === null) return box;
  // No box of its own (`display: contents`): what is in it has one.
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
};

/** Null: nothing of it can be seen. */
export const visibleBox = (element: Element, clippers: readonly Element[]): Box | null => {
  let { left, top, right, bottom } = extentOf(element);
  for (const clipper of clippers) {
    const clip = clipper.getBoundingClientRect();
    left = Math.max(left, clip.left);
    top = Math.max(top, clip.top);
    right = Math.min(right, clip.right);
    bottom = Math.min(bottom, clip.bottom);
  }
  // In a frame inside this document: where the frame is, and no more than it shows.
  for (let frame = holderOf(element.ownerDocument); frame !== null; frame = holderOf(frame.ownerDocument)) {
    const around = frame.getBoundingClientRect();
    left = Math.max(around.left, left + around.left + frame.clientLeft);
    top = Math.max(around.top, top + around.top + frame.clientTop);
    right = Math.min(around.right, right + around.left + frame.clientLeft);
    bottom = Math.min(around.bottom, bottom + around.top + frame.clientTop);
  }
  return right > left && bottom > top ? { left, top, right, bottom } : null;
};

export interface InWindow {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
  readonly width: number;
  readonly height: number;
}

/** The element's box in the window of its tab, through every frame around it. No box where a frame of another origin is around it. */
export const placeInWindow = (element: Element | null): InWindow => {
  let box = element?.isConnected === true ? visibleBox(element, clippersOf(element)) : null;
  let at: Window = window;
  try {
    while (at !== at.parent) {
      const frame = at.frameElement;
      if (frame === null) return { box: null, width: innerWidth, height: innerHeight };
      const around = frame.getBoundingClientRect();
      const left = around.left + frame.clientLeft;
      const top = around.top + frame.clientTop;
      if (box !== null)
        box = {
          left: Math.max(around.left, box.left + left),
          top: Math.max(around.top, box.top + top),
          right: Math.min(around.right, box.right + left),
          bottom: Math.min(around.bottom, box.bottom + top),
        };
      at = at.parent;
    }
    const { innerWidth: width, innerHeight: height } = at;
    if (box !== null)
      box = {
        left: Math.max(0, box.left),
        top: Math.max(0, box.top),
        right: Math.min(width, box.right),
        bottom: Math.min(height, box.bottom),
      };
    const seen = box !== null && box.right > box.left && box.bottom > box.top;
    return {
      box: seen && box !== null ? { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top } : null,
      width,
      height,
    };
  } catch {
    // Another origin's window tells nothing of itself.
    return { box: null, width: innerWidth, height: innerHeight };
  }
};

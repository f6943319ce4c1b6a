/**
 * Outlines on the page: one region that somebody points at, or every region in the colour of its voice, dashed while what it
 * shows is provisional, solid once that is committed, red with a label where a finding stands. What is to be drawn is said by
 * the panel; nothing is judged here.
 *
 * The only thing that is ever added to the page is one element with one closed shadow tree, there only while something is
 * outlined. It cannot be clicked, focused, selected, found or read out, and is not printed. It is put into the page once and
 * never changed after that: all further work is in its shadow tree, where no observer of the page looks. Places are read
 * once a frame, all reading before all writing; with nothing to outline there is no frame.
 */
import type { OutlineMark } from '../link/messages';
import { clippersOf, visibleBox } from './place';
import { parentOf } from './surface';

export interface Overlay {
  /** Null: nothing is pointed at. */
  show(element: Element | null): void;
  /** Outlines these and no others; null takes away everything. */
  draw(marks: readonly OutlineMark[] | null): void;
  /** Nobody can say for the moment what is to be drawn: if that lasts, everything is taken away. */
  lapse(): void;
  /** The overlay's own element, so that it is not taken for a part of the page. */
  is(element: Element): boolean;
}

export interface OverlayOptions {
  /** Where a region stands now; it may be another element than before, after a re-render. */
  readonly rootOf: (region: string) => Element | null;
}

/** The badge letters and colours of the panel's light theme: dark enough for white letters, bright enough beside a dark page. */
const VOICES: Readonly<Record<OutlineMark['voice'], readonly [letter: string, colour: string]>> = {
  lifecycle: ['L', '#56616f'],
  user: ['U', '#3a3f45'],
  assistant: ['A', '#0b57d0'],
  reasoning: ['R', '#7d2fc2'],
  progress: ['P', '#00736a'],
  tool: ['T', '#975400'],
  interaction: ['I', '#b4126b'],
  log: ['G', '#77684f'],
  terminal: ['X', '#146c2e'],
};
const RED = '#b3261e';

/** How long the outlines stay when the link is lost: a background that starts again takes a moment. */
const LAPSE_MS = 3_000;
/** What clips a region, and what lies on top of everything, is looked up this often. */
const LOOK_MS = 500;
const TAG_PX = 15;
/** A box this far outside of what it surrounds. */
const MARGIN = 3;

const HOST = [
  'all: initial',
  'display: block',
  'position: fixed',
  'inset: 0',
  'width: auto',
  'height: auto',
  'margin: 0',
  'padding: 0',
  'border: 0',
  'overflow: clip',
  'background: none',
  'z-index: 2147483647',
  'pointer-events: none',
  'user-select: none',
  'contain: strict',
  'forced-color-adjust: none',
]
  .map((rule) => `${rule} !important`)
  .join('; ');

interface Drawn {
  readonly box: HTMLElement;
  readonly tag: HTMLElement;
  /** Null: pointed at. */
  mark: OutlineMark | null;
  element: Element | null;
  clippers: readonly Element[];
  lookedAt: number;
  /** What was written last: nothing is written twice. */
  place: string;
}

/** The letter stands at the far end, where it covers the fewest words; a finding where one begins to read. */
const dress = ({ box, tag }: Drawn, mark: OutlineMark | null): void => {
  const [letter, colour] = mark === null ? ['', 'Highlight'] : VOICES[mark.voice];
  const bad = mark !== null && mark.label !== null;
  const line = mark?.standing === 'provisional' && !bad ? 'dashed' : 'solid';
  const edge = bad ? RED : colour;
  box.style.cssText = [
    'position: absolute; top: 0; left: 0; box-sizing: border-box; display: none; border-radius: 3px',
    `border: ${bad ? 3 : 2}px ${line} ${edge}`,
    'box-shadow: 0 0 0 1px rgb(255 255 255 / 60%), inset 0 0 0 1px rgb(255 255 255 / 35%)',
  ].join('; ');
  tag.style.cssText = [
    `position: absolute; ${bad ? 'left' : 'right'}: -2px; height: ${TAG_PX}px; padding: 0 4px; border-radius: 3px; white-space: nowrap`,
    `font: 700 10px/${TAG_PX}px system-ui, sans-serif; color: #fff; background: ${edge}`,
    'max-width: 40ch; overflow: clip; text-overflow: ellipsis',
    mark === null ? 'display: none' : '',
  ].join('; ');
  tag.textContent = mark === null ? '' : mark.label === null ? letter : `${letter} · ${mark.label}`;
};

/** The outermost layers of the page that lie above everything else and hold one of these. */
const layersAround = (elements: readonly Element[]): ReadonlySet<Element> => {
  const layers = new Set<Element>();
  for (const element of elements)
    for (let up: Element | null = element; up !== null; up = parentOf(up))
      if (up.matches(':modal, :popover-open, :fullscreen')) layers.add(up);
  return layers;
};

export const createOverlay = ({ rootOf }: OverlayOptions): Overlay => {
  const printing = matchMedia('print');
  let host: HTMLElement | null = null;
  let tree: ShadowRoot | null = null;
  /** Tells where the host's own origin is, and how it is scaled: a page may zoom or transform its root. */
  let ruler: HTMLElement | null = null;
  let pointed: Drawn | null = null;
  let drawn = new Map<string, Drawn>();
  let layers: ReadonlySet<Element> = new Set();
  let layersAt = 0;
  let frame = 0;
  let lapsing: ReturnType<typeof setTimeout> | null = null;

  const print = (): void => {
    host?.style.setProperty('display', printing.matches ? 'none' : 'block', 'important');
  };
  const beforePrint = (): void => host?.style.setProperty('display', 'none', 'important');
  const afterPrint = (): void => host?.style.setProperty('display', 'block', 'important');

  const open = (): ShadowRoot => {
    if (host?.isConnected === true && tree !== null) return tree;
    close();
    host = document.createElement('unsettled-overlay');
    host.setAttribute('aria-hidden', 'true');
    host.setAttribute('inert', '');
    // Shown as one only where the page has layers of its own above everything.
    host.setAttribute('popover', 'manual');
    // Set through the object model: a page's policy on inline styles does not reach it.
    host.style.cssText = HOST;
    tree = host.attachShadow({ mode: 'closed' });
    ruler = document.createElement('div');
    ruler.style.cssText = 'position: absolute; top: 0; left: 0; width: 100px; height: 1px; visibility: hidden';
    tree.append(ruler, ...[...drawn.values(), ...(pointed === null ? [] : [pointed])].map(({ box }) => box));
    document.documentElement.append(host);
    printing.addEventListener('change', print);
    window.addEventListener('beforeprint', beforePrint);
    window.addEventListener('afterprint', afterPrint);
    return tree;
  };

  const close = (): void => {
    if (frame !== 0) cancelAnimationFrame(frame);
    frame = 0;
    printing.removeEventListener('change', print);
    window.removeEventListener('beforeprint', beforePrint);
    window.removeEventListener('afterprint', afterPrint);
    host?.remove();
    host = null;
    tree = null;
    ruler = null;
    layers = new Set();
  };

  const make = (mark: OutlineMark | null): Drawn => {
    const box = document.createElement('div');
    const tag = document.createElement('span');
    box.append(tag);
    const one: Drawn = { box, tag, mark, element: null, clippers: [], lookedAt: Number.NEGATIVE_INFINITY, place: '' };
    dress(one, mark);
    open().append(box);
    return one;
  };

  /** Above the page's own layers, if an outlined region is in one of them. */
  const raise = (time: number): void => {
    if (host === null || time - layersAt < LOOK_MS) return;
    layersAt = time;
    const now = layersAround(all().flatMap(({ element }) => (element?.isConnected === true ? [element] : [])));
    if (now.size === layers.size && [...now].every((layer) => layers.has(layer))) return;
    layers = now;
    if (host.matches(':popover-open')) host.hidePopover();
    if (now.size > 0) host.showPopover();
  };

  const all = (): readonly Drawn[] => (pointed === null ? [...drawn.values()] : [...drawn.values(), pointed]);

  /** Which element it stands for now. Another one may be in another layer. */
  const resolve = (one: Drawn): void => {
    if (one.mark === null) return;
    const root = rootOf(one.mark.region);
    if (root === one.element) return;
    one.element = root;
    one.lookedAt = Number.NEGATIVE_INFINITY;
    layersAt = Number.NEGATIVE_INFINITY;
  };

  const placeOf = (one: Drawn, time: number, origin: DOMRect): string => {
    const { element } = one;
    if (element?.isConnected !== true) return '';
    if (time - one.lookedAt >= LOOK_MS) {
      one.lookedAt = time;
      one.clippers = clippersOf(element);
    }
    const box = visibleBox(element, one.clippers);
    if (box === null) return '';
    const scale = origin.width / 100 || 1;
    const at = (value: number, from: number): number => Math.round(((value - from) / scale) * 10) / 10;
    const left = at(box.left, origin.left) - MARGIN;
    const top = at(box.top, origin.top) - MARGIN;
    const width = at(box.right, origin.left) + MARGIN - left;
    const height = at(box.bottom, origin.top) + MARGIN - top;
    return `${left} ${top} ${width} ${height}`;
  };

  const put = (one: Drawn, place: string): void => {
    if (place === one.place) return;
    one.place = place;
    const { style } = one.box;
    if (place === '') {
      style.display = 'none';
      return;
    }
    const [left, top, width, height] = place.split(' ');
    style.display = 'block';
    style.transform = `translate(${left}px, ${top}px)`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    // Above the box; in it where there is no room above.
    one.tag.style.top = Number(top) < TAG_PX ? '0' : `${-TAG_PX - 1}px`;
  };

  const follow = (time: number): void => {
    frame = 0;
    if (host === null || ruler === null) return;
    const list = all();
    for (const one of list) resolve(one);
    raise(time);
    const origin = ruler.getBoundingClientRect();
    const places = list.map((one) => placeOf(one, time, origin));
    for (const [i, one] of list.entries()) put(one, places[i]!);
    if (pointed !== null && pointed.element?.isConnected !== true) point(null);
    if (host !== null) frame = requestAnimationFrame(follow);
  };

  const settle = (): void => {
    if (pointed === null && drawn.size === 0) close();
    else if (frame === 0) frame = requestAnimationFrame(follow);
  };

  const point = (element: Element | null): void => {
    pointed?.box.remove();
    pointed = null;
    if (element !== null) {
      pointed = make(null);
      pointed.element = element;
      element.scrollIntoView({ block: 'nearest' });
    }
    settle();
  };

  const draw = (marks: readonly OutlineMark[] | null): void => {
    if (lapsing !== null) clearTimeout(lapsing);
    lapsing = null;
    const next = new Map<string, Drawn>();
    if (marks !== null && marks.length > 0) open();
    for (const mark of marks ?? []) {
      const known = drawn.get(mark.region);
      if (known === undefined) {
        next.set(mark.region, make(mark));
        continue;
      }
      next.set(mark.region, known);
      const was = known.mark;
      if (was !== null && was.voice === mark.voice && was.standing === mark.standing && was.label === mark.label) continue;
      known.mark = mark;
      known.place = '';
      dress(known, mark);
    }
    for (const [region, one] of drawn) if (!next.has(region)) one.box.remove();
    drawn = next;
    if (marks === null) point(null);
    else settle();
  };

  return {
    show: point,
    draw,
    lapse() {
      if (host === null || lapsing !== null) return;
      lapsing = setTimeout(() => draw(null), LAPSE_MS);
    },
    is: (element) => element === host || element.localName === 'unsettled-overlay',
  };
};

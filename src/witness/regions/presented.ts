/**
 * How the markup presents a region: its role, its label, and in whose voice the page puts it. From markup only: disclosures,
 * roles, names of places. What the text says is never looked at, and what the markup does not say is `unknown`.
 */
import type { Region, Voice } from '../../core/model';
import { ASSISTANT_NAMES, PROGRESS_LABELS, REASONING_NAMES, ROLE_ATTRIBUTES, TOOL_NAMES, USER_NAMES } from '../lexicon';
import { nameOf, parentOf } from '../surface';

const LEVELS = 8;
const LABEL_CHARS = 80;

const names = (text: string, list: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return list.some((name) => lower.includes(name));
};

const voiceOfRole = (value: string): Voice | null => {
  const lower = value.trim().toLowerCase();
  if (USER_NAMES.has(lower)) return 'user';
  if (ASSISTANT_NAMES.has(lower)) return 'assistant';
  if (lower === 'tool' || lower === 'function') return 'tool';
  return names(lower, REASONING_NAMES) ? 'reasoning' : null;
};

const CARD = 'article, [role="article"], [role="listitem"]';
const CARDS = 40;

/** The words that a place goes by: a disclosure's summary, the control that opens it, a heading or short line just before it. */
const captionOf = (element: Element): string | null => {
  if (element.localName === 'details') {
    const summary = element.querySelector('summary');
    return summary === null ? null : nameOf(summary);
  }
  if (element.id !== '') {
    const root = element.getRootNode() as Document | ShadowRoot;
    const opener = root.querySelector(`[aria-controls="${CSS.escape(element.id)}"]`);
    if (opener !== null) return nameOf(opener);
  }
  // A card in a column goes by what heads the column, whatever number of cards lie above it.
  let before = element.previousElementSibling;
  for (let n = 0; before !== null && n < CARDS && element.matches(CARD) && before.matches(CARD); n++)
    before = before.previousElementSibling;
  if (before === null) return null;
  const heading = before.matches(
    'h1, h2, h3, h4, h5, h6, legend, summary, label, button, header, strong, b, small, [role="heading"], [role="button"]',
  );
  return heading && (before.textContent ?? '').length <= LABEL_CHARS ? nameOf(before) : null;
};

/** Attributes by which a page names a place: class, id and data attributes, as one text. */
const markOf = (element: Element): string => {
  let mark = `${element.getAttribute('class') ?? ''} ${element.id}`;
  for (const { name, value } of element.attributes) if (name.startsWith('data-') && value.length <= 40) mark += ` ${name} ${value}`;
  return mark.slice(0, 600);
};

const isDisclosure = (element: Element): boolean =>
  element.localName === 'details' ||
  (element.id !== '' &&
    (element.getRootNode() as Document | ShadowRoot).querySelector(`[aria-expanded][aria-controls="${CSS.escape(element.id)}"]`) !== null);

const voiceAt = (element: Element): Voice | null => {
  const role = element.getAttribute('role');
  const caption = captionOf(element);
  const said = `${element.getAttribute('aria-label') ?? ''} ${caption ?? ''}`;
  const mark = markOf(element);
  if (names(said, REASONING_NAMES) || names(mark, REASONING_NAMES)) return 'reasoning';
  if (names(said, TOOL_NAMES) || /(?:^|[\s_-])tool(?:[\s_-]|$)/iu.test(mark)) return 'tool';
  for (const label of [element.getAttribute('aria-label'), caption])
    if (label !== null && PROGRESS_LABELS.has(label.trim().toLowerCase())) return 'progress';
  if (isDisclosure(element)) return 'reasoning';
  if (role === 'alert' || role === 'status') return 'log';
  for (const name of ROLE_ATTRIBUTES) {
    const voice = voiceOfRole(element.getAttribute(name) ?? '');
    if (voice !== null) return voice;
  }
  for (const token of element.classList) if (USER_NAMES.has(token.toLowerCase())) return 'user';
  return null;
};

/** What holds a whole conversation or page says nothing about one message in it. */
const isWhole = (element: Element): boolean =>
  element.localName === 'body' ||
  element.localName === 'html' ||
  element.localName === 'main' ||
  element.matches('[role="log"], [role="main"], [role="feed"]');

export const presentation = (root: Element): Pick<Region, 'role' | 'label' | 'presentedAs'> => {
  let role: string | null = null;
  let label: string | null = null;
  let voice: Voice | null = null;
  for (let at: Element | null = root, n = 0; at !== null && n < LEVELS && !isWhole(at); at = parentOf(at), n++) {
    if (n < 3) {
      role ??= at.getAttribute('role') ?? (at.localName === 'details' || at.localName === 'article' ? at.localName : null);
      label ??= at.getAttribute('aria-label')?.slice(0, LABEL_CHARS) || captionOf(at) || roleAttribute(at);
    }
    voice ??= voiceAt(at);
    if (voice !== null && label !== null && n >= 3) break;
  }
  return { role, label, presentedAs: voice ?? 'unknown' };
};

const roleAttribute = (element: Element): string | null => {
  for (const name of ROLE_ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value !== null && value !== '') return value.slice(0, LABEL_CHARS);
  }
  return null;
};

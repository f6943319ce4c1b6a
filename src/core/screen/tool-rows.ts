/**
 * Rows that show tool calls, and what they say of the call's state: in markup (a state attribute, a class, a busy mark) or
 * in words of the page's own. A row is known by the tool's name; where names do not tell, by its place in order, if there
 * are as many rows as calls and each came after its call.
 */
import type { PageTime, Region, Run, Seq, ToolCall } from '../model';
import type { History, Stay } from './history';
import { FINISHED, says, UNFINISHED, WORKING } from './words';

/** A row that shows a tool call: it names the tool, or shows its input or output. */
export interface ToolRow {
  readonly tool: string;
  readonly region: Region;
  readonly appearedSeq: Seq;
  readonly removedSeq: Seq | null;
  /** What the row said of the call's state, in words or in markup, in order. */
  readonly states: readonly {
    readonly as: 'working' | 'finished' | 'unfinished';
    readonly text: string;
    readonly at: PageTime;
    readonly seq: Seq;
    readonly untilSeq: Seq | null;
  }[];
}

/** Rows are short; a region with a whole answer in it that mentions a tool is none. */
const ROW_CHARS = 400;

type State = ToolRow['states'][number];

export const toolRows = (run: Run, history: History, rows: readonly Stay[], unattributed: readonly Stay[]): readonly ToolRow[] => {
  const tools = run.attempts.flatMap((attempt) => attempt.tools);
  const names = new Map<string, ToolCall[]>();
  for (const tool of tools) if (tool.name.length > 2) names.set(tool.name, [...(names.get(tool.name) ?? []), tool]);
  const found: ToolRow[] = [];
  const put = (tool: ToolCall, stay: Stay, name: string): void => {
    found.push({
      tool: tool.id,
      region: stay.region,
      appearedSeq: stay.appeared.seq,
      removedSeq: stay.removed?.seq ?? null,
      states: [...ofCues(history, stay), ...ofWords(stay, name)].sort((a, b) => a.seq - b.seq),
    });
  };
  const apart = rows.filter((stay) => stay.region.presentedAs === 'tool' && stay.visible && stay.changed.seq >= run.openedSeq);
  if (tools.length > 0 && apart.length === tools.length && tools.every((tool, i) => tool.calledAt <= apart[i]!.appeared.at)) {
    for (const [i, tool] of tools.entries()) put(tool, apart[i]!, spaced(tool.name));
    return found;
  }
  for (const [name, calls] of names) {
    const [tool] = calls;
    if (tool === undefined || calls.length > 1) continue;
    const plain = spaced(name);
    for (const stay of new Set([...rows, ...unattributed])) {
      if (!stay.visible || stay.text.length > ROW_CHARS || stay.changed.seq < run.openedSeq) continue;
      if (!spaced(stay.text).includes(plain) && !spaced(stay.region.label ?? '').includes(plain)) continue;
      put(tool, stay, plain);
    }
  }
  return found;
};

const spaced = (text: string): string =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const stateOf = (words: string | null): State['as'] | null => {
  if (says(words, WORKING)) return 'working';
  if (says(words, UNFINISHED)) return 'unfinished';
  return says(words, FINISHED) ? 'finished' : null;
};

const ofCues = (history: History, stay: Stay): readonly State[] => {
  const states: State[] = [];
  for (const change of history.cues.inRegion(stay.region.key)) {
    const { log, place } = change;
    if (change.value === null) continue;
    const as =
      log.kind === 'busy' || log.kind === 'animation'
        ? 'working'
        : log.kind === 'attribute' || log.kind === 'class'
          ? stateOf(change.value)
          : null;
    if (as === null) continue;
    const text =
      log.kind === 'attribute'
        ? `${change.label ?? 'state'} “${change.value}”`
        : log.kind === 'class'
          ? `class “${change.value}”`
          : 'a busy mark';
    states.push({ as, text, at: change.at, seq: change.seq, untilSeq: log.changes[place + 1]?.seq ?? null });
  }
  return states;
};

/** The page's own words beside the tool's name, as they were at each change. */
const ofWords = (stay: Stay, name: string): readonly State[] => {
  const states: State[] = [];
  let text = '';
  for (let i = 0; i < stay.edits.length; i++) {
    const edit = stay.edits[i]!;
    text = text.slice(0, edit.at) + edit.inserted + text.slice(edit.at + edit.removed);
    const words = spaced(text).replace(name, ' ');
    const as = stateOf(words);
    if (as === null || states.at(-1)?.as === as) continue;
    const last = states.at(-1);
    if (last !== undefined) states[states.length - 1] = { ...last, untilSeq: edit.seq };
    states.push({ as, text: `“${text.trim()}”`, at: edit.time, seq: edit.seq, untilSeq: stay.removed?.seq ?? null });
  }
  return states;
};

/**
 * The count on the toolbar button, with or without developer tools: findings of this document by rule, less the rules that
 * are muted for its origin. A frame says its count to the tab's own document, which adds up what its frames say, so the
 * background keeps nothing.
 */
import type { BadgeCall, CountCall } from '../link/calls';
import { LINK_VERSION, type Unstamped } from '../link/messages';
import type { CreateJudge, Judge, JudgeOptions } from './judge';

export interface BadgeOptions extends Omit<JudgeOptions, 'document' | 'mappings' | 'counted'> {
  readonly document: () => JudgeOptions['document'];
  readonly origin: string;
  readonly say: (call: CountCall | BadgeCall) => unknown;
  /** The judge, once it is here. */
  readonly found: () => CreateJudge | undefined;
  readonly mappings: () => Promise<readonly string[]>;
}

export interface Badge {
  add(entry: Unstamped): void;
  /** `origin rule`, as the panel keeps them. */
  mute(muted: readonly string[]): void;
  /** Another frame of the tab has said its count. */
  heard(document: string, count: number): void;
  /** The browser forgets what a button showed when its tab goes elsewhere, and we may be back. */
  again(): void;
}

/** Entries that wait for the judge: the newest ones. A stream that could be an agent's has it brought within moments. */
const EARLY = 2_000;

export const createBadge = (options: BadgeOptions): Badge => {
  let early: Unstamped[] = [];
  let judge: Judge | null = null;
  let coming = false;
  let muted: readonly string[] = [];
  let rules: ReadonlyMap<string, number> = new Map();
  let said = 0;
  const frames = new Map<string, number>();

  const own = (): number => {
    let count = 0;
    for (const [rule, n] of rules) if (!muted.includes(`${options.origin} ${rule}`)) count += n;
    return count;
  };
  const tell = (always: boolean): void => {
    const { key, topLevel } = options.document();
    let count = own();
    for (const n of frames.values()) count += n;
    if (count === said && !always) return;
    said = count;
    options.say(topLevel ? { link: LINK_VERSION, type: 'badge', count } : { link: LINK_VERSION, type: 'count', document: key, count });
  };
  const begin = async (create: CreateJudge): Promise<void> => {
    coming = true;
    const mappings = await options.mappings().catch(() => []);
    judge = create({
      document: options.document(),
      mappings,
      now: options.now,
      idle: options.idle,
      counted(found) {
        rules = found;
        tell(false);
      },
    });
    for (const entry of early) judge.add(entry);
    early = [];
  };

  return {
    add(entry) {
      if (judge !== null) {
        judge.add(entry);
        return;
      }
      early.push(entry);
      if (early.length > EARLY * 2) early = early.slice(-EARLY);
      const create = coming ? undefined : options.found();
      if (create !== undefined) void begin(create);
    },
    mute(list) {
      muted = list;
      tell(false);
    },
    heard(document, count) {
      if (!options.document().topLevel) return;
      if (count === 0) frames.delete(document);
      else if (frames.size < 1_000 || frames.has(document)) frames.set(document, count);
      tell(false);
    },
    again: () => tell(said > 0),
  };
};

/**
 * Two runs side by side: how each ended and how long it took, then what each said, piece across from piece. What differs is
 * marked in words, in place and in time; what is the same is one quiet line.
 */
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Run } from '../../../core/model';
import { alignPieces, MOST_PIECES, type Pair } from '../../compare/align';
import { type Piece, piecesOf } from '../../compare/pieces';
import { diffWords, type Stretch } from '../../compare/words';
import { usePanel, useStore } from '../../context';
import type { Feed } from '../../feed';
import { clock, count, duration, shortUrl } from '../../format';
import { endingOf, reasonOf } from '../../outcome';
import { Button, IconButton } from '../../parts/button';
import { set } from '../../parts/set';
import { StandingMark, VoiceBadge } from '../../parts/voice';
import { type Timing, timingOf } from '../../run-facts';
import type { Store } from '../../store';
import { type Strings, useStrings } from '../../strings';
import { chooseFile, fileNotices, openBeside } from '../capture-actions';
import { EndingWord } from '../run-row';
import { choicesAround } from './choices';
import { likeliestIn } from './likeliest';
import { type Side as Chosen, comparing, endComparison, feedOf, otherFeed, otherReading } from './state';
import './compare.css';

/** Pairs drawn at first; the rest on demand. */
const FIRST = 200;
/** Two starts are at the same time if they are no further apart than this, or than a tenth of the time passed. */
const SAME_TIME_MS = 50;

/** `+120 ms`, `−1.2 s`; '' where they are the same for all that matters. */
const signed = (ms: number): string => (Math.abs(ms) < 0.5 ? '±0' : `${ms > 0 ? '+' : '−'}${duration(Math.abs(ms))}`);

interface Fact {
  readonly name: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly differs: boolean;
  /** How much later or longer in B. */
  readonly change: string;
}

/** What is said of each run as a whole. Times always differ a little; they stand out from a fifth on. */
const factsFor = (store: Store, [feedA, feedB]: readonly [Feed, Feed], a: Run, b: Run, t: Strings): readonly Fact[] => {
  const [timesA, timesB] = [timingOf(feedA, a), timingOf(feedB, b)];
  const words = (name: string, of: (run: Run, feed: Feed) => readonly string[]): Fact => {
    const [x, y] = [of(a, feedA), of(b, feedB)];
    return { name, a: x, b: y, differs: x.join('\n') !== y.join('\n'), change: '' };
  };
  const time = (name: string, key: keyof Timing): Fact => {
    const [x, y] = [timesA[key], timesB[key]];
    return {
      name,
      a: [x === null ? '–' : duration(x)],
      b: [y === null ? '–' : duration(y)],
      differs: x === null || y === null ? x !== y : Math.abs(x - y) > Math.max(SAME_TIME_MS, Math.max(x, y) / 5),
      change: x === null || y === null ? '' : signed(y - x),
    };
  };
  const findings = (run: Run, feed: Feed): readonly string[] =>
    (feed === store.feed.peek() ? store.findingsOf(run.key) : feed.findings.value.filter((finding) => finding.run === run.key))
      .filter((finding) => finding.verdict === 'fail')
      .map((finding) => t.rules[finding.rule]?.title ?? finding.rule);
  const usage = (run: Run): string => {
    const used = run.attempts.at(-1)?.usage;
    return used?.outputTokens == null ? '–' : t.tokensOut(count(used.outputTokens));
  };
  return [
    words(t.field.finish, (run) => [run.ending.state === 'protocol-error' ? t.endingProtocolError : (reasonOf(run) ?? t.endingNone)]),
    words(t.field.strength, (run) => [run.settlement === null ? '–' : t.strength[run.settlement.strength]]),
    words(t.compareView.findings, (run, feed) => (findings(run, feed).length === 0 ? ['–'] : findings(run, feed))),
    time(t.field.duration, 'duration'),
    time(t.field.wait, 'wait'),
    time(t.field.firstText, 'firstAnswer'),
    time(t.field.longestGap, 'longestGap'),
    words(t.compareView.attempts, (run) => [count(run.attempts.length)]),
    words(t.field.model, (run) => [run.attempts.at(-1)?.model ?? '–']),
    words(t.field.usage, (run) => [usage(run)]),
    words(t.field.dialect, (run) => [run.dialect]),
  ].filter((fact) => fact.a[0] !== '–' || fact.b[0] !== '–');
};

type Change = 'same' | 'text' | 'standing' | 'a' | 'b';
const changeOf = ({ a, b }: Pair): Change => {
  if (a === null) return 'b';
  if (b === null) return 'a';
  if (a.text !== b.text || a.name !== b.name) return 'text';
  return a.standing === b.standing ? 'same' : 'standing';
};
const lateBy = ({ a, b }: Pair): number | null => (a === null || b === null ? null : b.at - a.at);
const isLate = (pair: Pair): boolean => {
  const by = lateBy(pair);
  return by !== null && Math.abs(by) > Math.max(SAME_TIME_MS, Math.max(pair.a!.at, pair.b!.at) / 10);
};

/** Of what is the same only the edges are drawn; of what differs, enough to read. */
const EDGE = 160;
const MOST = 4_000;

const cut = (text: string, t: Strings): string =>
  text.length <= MOST ? text : `${text.slice(0, MOST)} ${t.compareView.more(count(text.length - MOST))}`;
const edges = (text: string, t: Strings): string =>
  text.length <= EDGE * 3 ? text : `${text.slice(0, EDGE)} ${t.compareView.more(count(text.length - EDGE * 2))} ${text.slice(-EDGE)}`;

/** `alone`: the other run has nothing across from it, so nothing is marked. */
const Words = ({ stretches, side, alone }: { stretches: readonly Stretch[]; side: 'a' | 'b'; alone: boolean }) => {
  const t = useStrings();
  return (
    <>
      {stretches.map((stretch, index) => {
        // Stretches of one text never move.
        const key = index;
        if (alone) return <span key={key}>{cut(stretch.text, t)}</span>;
        if (!stretch.differs) return <span key={key}>{edges(stretch.text, t)}</span>;
        return side === 'a' ? <del key={key}>{cut(stretch.text, t)}</del> : <ins key={key}>{cut(stretch.text, t)}</ins>;
      })}
    </>
  );
};

const Side = ({
  piece,
  stretches,
  side,
  alone,
  goTo,
}: {
  piece: Piece | null;
  stretches: readonly Stretch[];
  side: 'a' | 'b';
  alone: boolean;
  goTo: () => void;
}) => {
  const t = useStrings();
  if (piece === null) return <div class="pair-side none">{t.compareView.absent}</div>;
  return (
    <div class={`pair-side v-${piece.lane}`}>
      <button type="button" class="pair-time mono tabular" title={t.compareView.reveal} onClick={goTo}>
        {clock(piece.at)} s{piece.lasted === null ? '' : ` · ${duration(piece.lasted)}`}
      </button>
      {piece.standing === 'withdrawn' ? <span class="soft">{t.withdrawn}</span> : <StandingMark standing={piece.standing} />}
      <p>
        {piece.text === '' ? <span class="soft">{t.compareView.noWords}</span> : <Words stretches={stretches} side={side} alone={alone} />}
      </p>
    </div>
  );
};

const nameOf = (piece: Piece, t: Strings): string => {
  switch (piece.kind) {
    case 'tool':
      return piece.name;
    case 'ask':
      return t.waitKind[piece.name as keyof typeof t.waitKind] ?? piece.name;
    case 'end':
      return t.outcome[piece.name as keyof typeof t.outcome] ?? piece.name;
    default:
      return t.voice[piece.lane];
  }
};

const PairRow = ({ pair, reveal }: { pair: Pair; reveal: (side: 'a' | 'b', seq: number) => void }) => {
  const t = useStrings();
  const change = changeOf(pair);
  const piece = (pair.a ?? pair.b)!;
  const late = isLate(pair);
  const by = lateBy(pair);
  const words = useMemo(() => diffWords(pair.a?.text ?? '', pair.b?.text ?? ''), [pair.a?.text, pair.b?.text]);
  const name =
    pair.a !== null && pair.b !== null && pair.a.name !== pair.b.name ? `${nameOf(pair.a, t)} ≠ ${nameOf(pair.b, t)}` : nameOf(piece, t);
  const notes = [
    change === 'text' ? t.compareView.words(words.removed, words.added) : change === 'same' ? '' : t.compareView.change[change],
    pair.moved ? t.compareView.moved : '',
  ].filter((note) => note !== '');
  return (
    <li class={`pair ${change}${pair.moved ? ' moved' : ''}`}>
      <div class="pair-head">
        <VoiceBadge
          lane={piece.lane}
          standing={piece.standing === 'provisional' ? 'provisional' : 'committed'}
          said={piece.kind === 'part' || piece.kind === 'note'}
        />
        <strong>{name}</strong>
        {notes.map((note) => (
          <span key={note} class="pair-note">
            {note}
          </span>
        ))}
        <span class="spring" />
        {by === null ? null : <span class={`mono tabular${late ? ' pair-late' : ' soft'}`}>{signed(by)}</span>}
      </div>
      <div class="pair-sides">
        <Side piece={pair.a} stretches={words.a} side="a" alone={pair.b === null} goTo={() => reveal('a', pair.a!.seq)} />
        <Side piece={pair.b} stretches={words.b} side="b" alone={pair.a === null} goTo={() => reveal('b', pair.b!.seq)} />
      </div>
    </li>
  );
};

/** Before the key of a run of the other file, as the value of a choice. */
const OTHER = 'other ';

/** Runs of what is shown, and of the other file if there is one. */
const Choose = ({ label, value, onChange }: { label: string; value: Chosen; onChange: (side: Chosen) => void }) => {
  const store = useStore();
  const t = useStrings();
  /** Where the reader went in the list of a feed to find what to choose. */
  const looked = useSignal<{ readonly feed: Feed; readonly at: number } | null>(null);
  const other = otherFeed.value;
  other?.calm.value;
  const shown = store.feed.value;
  /** The runs of one file, as choices; of very many a few around the one that is chosen, and the way to those before and after. */
  const options = (feed: Feed, group: string) => {
    const { runs, flows } = feed.session;
    const mine = (value.feed ?? shown) === feed ? runs.findIndex(({ key }) => key === value.run) : 0;
    const { from, to } = choicesAround(looked.value?.feed === feed ? looked.value.at : mine, runs.length);
    const one = (at: number) => {
      const run = runs[at];
      if (run === undefined) return null;
      const flow = flows.get(run.attempts[0]?.flows[0] ?? '');
      return (
        <option key={run.key} value={`${group}${run.key}`}>
          #{at + 1} {t.outcome[endingOf(run.settlement)]} · {flow === undefined ? run.dialect : shortUrl(flow.url)}
        </option>
      );
    };
    const way = (at: number, left: number, arrow: string) =>
      left === 0 ? null : (
        <option key={arrow} value={arrow + group} data-to={at}>
          {arrow} {t.showMore(count(left))}
        </option>
      );
    return [
      mine < from ? one(mine) : null,
      way(from - 1, from, '↑'),
      ...Array.from({ length: to - from }, (_, index) => one(from + index)),
      way(to, runs.length - to, '↓'),
      mine >= to ? one(mine) : null,
    ];
  };
  const chosen = `${value.feed === null ? '' : OTHER}${value.run}`;
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={(event) => {
        const picked = event.currentTarget.value;
        const to = event.currentTarget.selectedOptions[0]?.dataset.to;
        if (to !== undefined) {
          looked.value = { feed: picked.endsWith(OTHER) ? other! : shown, at: Number(to) };
          event.currentTarget.value = chosen;
          return;
        }
        looked.value = null;
        const there = picked.startsWith(OTHER) ? picked.slice(OTHER.length) : '';
        onChange(other?.session.run(there) === undefined ? { run: picked, feed: null } : { run: there, feed: other });
      }}
    >
      {value.run === '' ? <option value={chosen}>–</option> : null}
      {other === null ? (
        options(shown, '')
      ) : (
        <>
          <optgroup label={shown.name === '' ? t.compareView.here : shown.name}>{options(shown, '')}</optgroup>
          <optgroup label={other.name}>{options(other, OTHER)}</optgroup>
        </>
      )}
    </select>
  );
};

const Compared = ({ a, b, feeds }: { a: Run; b: Run; feeds: readonly [Feed, Feed] }) => {
  const store = useStore();
  const t = useStrings();
  const onlyChanges = useSignal(false);
  const limit = useSignal(FIRST);
  // Anew when a run was judged again, which is seldom: nothing here is needed within a frame.
  const compared = useComputed(() => {
    const now = comparing.value;
    if (now === null) return null;
    const [feedA, feedB] = [feedOf(store, now.a), feedOf(store, now.b)];
    feedA.judged.value;
    feedB.judged.value;
    const [runA, runB] = [feedA.session.run(now.a.run), feedB.session.run(now.b.run)];
    if (runA === undefined || runB === undefined) return null;
    const [left, right] = [piecesOf(feedA, runA), piecesOf(feedB, runB)];
    return { pairs: alignPieces(left, right), cut: Math.max(left.length, right.length) > MOST_PIECES };
  }).value;
  if (compared === null) return null;
  const { pairs, cut } = compared;
  const changed = pairs.filter((pair) => changeOf(pair) !== 'same' || pair.moved);
  const late = pairs.filter(isLate).length;
  const list = onlyChanges.value ? changed : pairs;
  const facts = factsFor(store, feeds, a, b, t);
  const reveal = (side: 'a' | 'b', seq: number): void => {
    const feed = side === 'a' ? feeds[0] : feeds[1];
    if (feed !== store.feed.peek()) store.open(feed);
    store.selectScope({ kind: 'run', run: side === 'a' ? a.key : b.key });
    endComparison();
    store.revealSeq(seq);
    store.settings.detailsOpen.value = true;
    store.tab.value = 'event';
  };
  return (
    <>
      <p class="compare-sum" role="status">
        {changed.length === 0 && facts.every((fact) => !fact.differs)
          ? t.compareView.noDifference
          : t.compareView.sum(changed.length, pairs.length, late)}
        {cut ? ` ${t.compareView.cut(count(MOST_PIECES))}` : ''}
      </p>
      <table class="compare-facts">
        <thead class="sr">
          <tr>
            <td />
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          <tr class={endingOf(a.settlement) === endingOf(b.settlement) ? '' : 'differs'}>
            <th scope="row">{t.compareView.ending}</th>
            <td>
              <EndingWord settlement={a.settlement} />
            </td>
            <td>
              <EndingWord settlement={b.settlement} />
            </td>
          </tr>
          {facts.map((fact) => (
            <tr key={fact.name} class={fact.differs ? 'differs' : ''}>
              <th scope="row">{fact.name}</th>
              <td>
                {fact.a.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </td>
              <td>
                {fact.b.map((line) => (
                  <div key={line}>
                    {line} <span class="compare-change tabular">{fact.change}</span>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="compare-said">
        <h3>{t.said}</h3>
        <label>
          <input type="checkbox" checked={onlyChanges.value} onChange={(event) => set(onlyChanges, event.currentTarget.checked)} />
          {t.compareView.onlyChanges}
        </label>
      </div>
      {list.length === 0 ? <p class="hint">{pairs.length === 0 ? t.compareView.nothingSaid : t.compareView.noDifference}</p> : null}
      <ol class="plain pairs">
        {list.slice(0, limit.value).map((pair) => (
          <PairRow key={`${pair.a?.seq}|${pair.b?.seq}|${(pair.a ?? pair.b)!.kind}`} pair={pair} reveal={reveal} />
        ))}
      </ol>
      {list.length <= limit.value ? null : (
        <Button onClick={() => set(limit, limit.value * 4)}>{t.showMore(count(list.length - limit.value))}</Button>
      )}
    </>
  );
};

export const Compare = () => {
  const panel = usePanel();
  const { store } = panel;
  const t = useStrings();
  const region = useRef<HTMLElement>(null);
  store.revision.value;
  const now = comparing.value;
  useLayoutEffect(() => {
    region.current?.focus();
    // The regions come back in the same turn; where one came from is most often the list of runs.
    return () => void requestAnimationFrame(() => document.querySelector<HTMLElement>('.run-list, .grid')?.focus());
  }, []);
  if (now === null) return null;
  const feeds = [feedOf(store, now.a), feedOf(store, now.b)] as const;
  feeds[1].calm.value;
  const [a, b] = [feeds[0].session.run(now.a.run), feeds[1].session.run(now.b.run)];
  // The likeliest run of a file that was opened for this, once all of it is there.
  const there = now.b.run === '' && !otherReading.value && feeds[1].waiting.value === 0;
  const wanted = there && now.b.feed !== null ? likeliestIn(store, now.b.feed, a) : '';
  if (wanted !== '') queueMicrotask(() => comparing.peek() === now && set(comparing, { ...now, b: { ...now.b, run: wanted } }));
  const openOther = (): void =>
    chooseFile((file) => {
      fileNotices.value = [];
      return openBeside(panel, file, () => {
        const still = comparing.peek();
        // What is shown stays on the other side.
        return still === null ? null : still.a.feed === null ? still.a : { ...still.b, feed: null };
      });
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="compare" aria-label={t.compareView.title} ref={region} tabIndex={0}>
      <div class="compare-bar">
        <h2>{t.compareView.title}</h2>
        <div class="compare-choice">
          <span class="compare-letter">A</span>
          <Choose label={t.compareView.chooseA} value={now.a} onChange={(side) => set(comparing, { ...now, a: side })} />
          <IconButton icon="swap" label={t.compareView.swap} onClick={() => set(comparing, { a: now.b, b: now.a })} />
          <span class="compare-letter">B</span>
          <Choose label={t.compareView.chooseB} value={now.b} onChange={(side) => set(comparing, { ...now, b: side })} />
          <IconButton icon="open" label={t.compareView.otherFile} onClick={openOther} />
        </div>
        <IconButton icon="close" label={t.compareView.close} keys="Esc" onClick={endComparison} />
      </div>
      <div class="compare-body">
        {a === undefined || b === undefined ? (
          <p class="hint">{now.a.run === '' || now.b.run === '' ? t.compareView.chooseOne : t.compareView.gone}</p>
        ) : (
          <Compared a={a} b={b} feeds={feeds} />
        )}
      </div>
    </section>
  );
};

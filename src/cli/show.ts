/** `show`: what was said, by voice, as it stood at a time. Provisional and committed text are told apart by a mark, not by colour alone. */
import type { Dialect } from '../core/dialects/dialect';
import { sentence } from '../core/findings/sentence';
import type { AgentEvent, Attempt, Part, Run, Voice } from '../core/model';
import { isAfter, openingOf } from '../core/order';
import { isUntimedRun } from '../core/report';
import { createSession, type Session } from '../core/session';
import { type Args, CANNOT_JUDGE, CLEAN, type Command, type Terminal, UsageError } from './command';
import { expandFiles, shown, whyFolderUnread } from './files';
import { explain, faultsOfFile, mappingAdvice, noRun, readInto } from './judge';
import { MAPPING_OPTION, mappingsFrom } from './mappings';
import { ms, plain, type Style, style } from './style';

const VOICES: readonly Voice[] = ['lifecycle', 'assistant', 'reasoning', 'progress', 'tool', 'log', 'interaction', 'terminal', 'user'];

const painted = (paint: Style, voice: string, text: string): string =>
  voice === 'assistant'
    ? paint.green(text)
    : voice === 'reasoning'
      ? paint.magenta(text)
      : voice === 'tool'
        ? paint.blue(text)
        : voice === 'interaction'
          ? paint.yellow(text)
          : voice === 'user'
            ? paint.cyan(text)
            : paint.dim(text);

/** Lines of at most `width`, broken at spaces where there are some. */
const wrap = (text: string, width: number): string[] =>
  plain(text, true)
    .split('\n')
    .flatMap((line) => {
      const lines: string[] = [];
      let rest = line;
      while (rest.length > width) {
        const space = rest.lastIndexOf(' ', width);
        const cut = space > width / 2 ? space : width;
        lines.push(rest.slice(0, cut));
        rest = rest.slice(space > width / 2 ? cut + 1 : cut);
      }
      return [...lines, rest];
    });

interface Line {
  /** Place among the events of the run, which tells the order of what came at one time. */
  readonly order: number;
  readonly at: number;
  readonly voice: string;
  readonly mark: string;
  readonly text: string;
}

/** Where in the run's events each part, call and question of an attempt begins. */
const placesOf = (
  events: readonly AgentEvent[],
  attempt: Attempt,
): { readonly part: Map<Part, number>; readonly tool: Map<string, number>; readonly ask: Map<string, number> } => {
  const places = { part: new Map<Part, number>(), tool: new Map<string, number>(), ask: new Map<string, number>() };
  const opening = openingOf(attempt);
  const opened = new Set<string>();
  // Parts are listed in order of opening, so the n-th new name in the events is the n-th part.
  const parts = attempt.parts.values();
  events.forEach((event, at) => {
    if (isAfter(opening, event) || !attempt.flows.includes(event.flow)) return;
    if (event.type === 'tool.called') places.tool.set(event.identity.toolCall ?? event.name, at);
    else if (event.type === 'asked') places.ask.set(event.request, at);
    else if (event.part !== null && event.type.startsWith('part.') && !opened.has(`${event.lane} ${event.part}`)) {
      opened.add(`${event.lane} ${event.part}`);
      const part = parts.next();
      if (!part.done) places.part.set(part.value, at);
    }
  });
  return places;
};

const partLine = (part: Part, order: number): Line => ({
  order,
  at: part.openedAt,
  voice: part.voice,
  mark: part.withdrawn ? 'withdrawn' : part.standing,
  text: part.text,
});

const linesOf = (attempt: Attempt, events: readonly AgentEvent[], at: (time: number) => string): Line[] => {
  const places = placesOf(events, attempt);
  const lines = attempt.parts.filter((part) => part.text !== '').map((part) => partLine(part, places.part.get(part) ?? 0));
  for (const tool of attempt.tools) {
    const end =
      tool.returnedAt === null ? `open, owed by the ${tool.owedBy}` : `${tool.failed ? 'failed' : 'returned'}${at(tool.returnedAt)}`;
    lines.push({
      order: places.tool.get(tool.id) ?? places.tool.get(tool.name) ?? 0,
      at: tool.calledAt,
      voice: 'tool',
      mark: 'committed',
      text: `${tool.name}: ${end}`,
    });
  }
  for (const ask of attempt.asks)
    lines.push({
      order: places.ask.get(ask.request) ?? 0,
      at: ask.askedAt,
      voice: 'interaction',
      mark: 'committed',
      text: `asks for ${ask.kind}${ask.prompt === null ? '' : `: ${ask.prompt}`}${ask.answeredAt === null ? ' (not answered)' : ` (answered${at(ask.answeredAt)})`}`,
    });
  return lines.sort((a, b) => a.at - b.at || a.order - b.order);
};

const MARKS: Readonly<Record<string, string>> = { provisional: '~', committed: '|', withdrawn: 'x' };

const runText = (session: Session, run: Run, voices: ReadonlySet<string>, terminal: Terminal): string[] => {
  const paint = style(terminal.color);
  const { settlement, ending } = run;
  // Where nobody noted when it came, nothing is told of that.
  const untimed = isUntimedRun(session, run);
  const at = (time: number): string => (untimed ? '' : ` at ${ms(time)}`);
  const column = (time: number): string => (untimed ? '' : ms(time)).padStart(9);
  const outcome = settlement === null ? 'open' : `${settlement.outcome}${at(settlement.at)}`;
  const reason =
    ending.state === 'reported'
      ? `, finish reason ${JSON.stringify(plain(ending.raw ?? ''))}`
      : ending.state === 'protocol-error'
        ? ', finish reason: protocol error'
        : '';
  const out = [
    `${paint.bold(plain(run.identity.run ?? run.key))}  ${plain(run.dialect)}  ${outcome}${reason}${run.parent === null ? '' : `  (child of ${plain(run.parent)})`}`,
  ];
  for (const attempt of run.attempts) {
    if (run.attempts.length > 1)
      out.push(paint.dim(`  attempt ${attempt.ordinal}${attempt.replaced ? ', started over by a later one' : ''}`));
    for (const line of linesOf(attempt, session.eventsOf(run.key), at)) {
      if (!voices.has(line.voice)) continue;
      const head = `${column(line.at)}  ${line.voice.padEnd(11)} ${MARKS[line.mark]} `;
      const [first, ...rest] = wrap(line.text, Math.max(20, terminal.columns - head.length));
      out.push(`${paint.dim(head.slice(0, 11))}${painted(paint, line.voice, head.slice(11))}${first ?? ''}`);
      for (const more of rest) out.push(`${' '.repeat(head.length - 2)}${painted(paint, line.voice, MARKS[line.mark]!)} ${more}`);
    }
    const end = attempt.settlement;
    if (end && voices.has('terminal'))
      out.push(
        `${paint.dim(`${column(end.at)}  `)}${'terminal'.padEnd(11)} = ${end.outcome}${end.error === null ? '' : `: ${plain(end.error)}`}`,
      );
  }
  for (const finding of session.findings)
    if (finding.run === run.key)
      out.push(
        `  ${finding.verdict === 'fail' ? paint.red('\u2717') : '?'} ${finding.rule}${at(finding.at)}: ${plain(sentence(finding.message))}`,
      );
  return out;
};

/** Reads a file up to a time, or all of it. */
const sessionAsOf = async (
  path: string,
  asOf: number,
  dialects: readonly Dialect[],
  terminal: Terminal,
): Promise<{ session: Session; notes: readonly string[] }> => {
  const whole = createSession({ dialects });
  const summary = await readInto(whole, path, terminal.stdin);
  const notes = faultsOfFile(summary).map((fault) => fault.message);
  if (asOf === Number.POSITIVE_INFINITY) return { session: whole, notes };
  const session = createSession({ dialects });
  for (const document of whole.documents.values()) session.document(document);
  session.ingest(whole.entries.filter((entry) => entry.at <= asOf));
  return { session, notes };
};

const voicesOf = (args: Args): ReadonlySet<string> => {
  const named = args.all('voice');
  return new Set(named.length > 0 ? named : VOICES.filter((voice) => voice !== 'log'));
};

export const show: Command = {
  name: 'show',
  about: 'print what was said, by voice',
  usage: ['unsettled show FILE', 'unsettled show FILE --as-of 1200 --voice assistant'],
  options: {
    'as-of': { value: 'MS', about: 'as it stood that many milliseconds in' },
    ...MAPPING_OPTION,
    run: { value: 'KEY', about: 'only the run with this key or id' },
    voice: { value: 'VOICE', about: 'only this voice; all but log if none is named', many: true, choices: VOICES },
  },
  help: `Before each text: | committed, ~ provisional (may still be revised), x withdrawn. = says how an attempt ended.
Times are milliseconds after the page began; the panel counts those of a run from the run's first event.`,
  async run(args, terminal) {
    if (args.rest.length === 0) throw new UsageError('Name a file, or - for standard input.');
    const said = args.one('as-of');
    const asOf = said === null ? Number.POSITIVE_INFINITY : Number(said);
    if (said !== null && !/^\d+(?:\.\d+)?$/u.test(said)) throw new UsageError(`--as-of takes milliseconds, like 1200; not "${said}".`);
    mappingsFrom(args.all('mapping'));
    const voices = voicesOf(args);
    const wanted = args.one('run');
    let code = CLEAN;
    const files = await expandFiles(args.rest, (folder, error) => {
      terminal.err(`unsettled: ${shown(folder)}: ${whyFolderUnread(error)}\n`);
      code = CANNOT_JUDGE;
    });
    for (const path of files) {
      if (files.length > 1) await terminal.out(`${plain(shown(path))}\n`);
      try {
        const mapped = mappingsFrom(args.all('mapping'));
        const { session, notes } = await sessionAsOf(path, asOf, mapped.dialects, terminal);
        for (const note of notes) terminal.err(`unsettled: ${shown(path)}: ${note}\n`);
        if (notes.length > 0) code = CANNOT_JUDGE;
        const runs = session.runs.filter((run) => wanted === null || run.key === wanted || run.identity.run === wanted);
        if (runs.length === 0) {
          const keys = session.runs.map((run) => run.key);
          // What was asked for is not there: as with `check`, that is no success.
          code = CANNOT_JUDGE;
          const why =
            wanted !== null && keys.length > 0
              ? `no run ${wanted}. The runs: ${keys.join(', ')}`
              : asOf !== Number.POSITIVE_INFINITY
                ? `no run by ${said} ms`
                : `${noRun(session)} ${mappingAdvice(mapped.unfit())}`;
          terminal.err(`unsettled: ${shown(path)}: ${why}\n`);
        }
        for (const run of runs) await terminal.out(`${runText(session, run, voices, terminal).join('\n')}\n\n`);
      } catch (error) {
        terminal.err(`unsettled: ${shown(path)}: ${explain(error)}\n`);
        code = CANNOT_JUDGE;
      }
    }
    return code;
  },
};

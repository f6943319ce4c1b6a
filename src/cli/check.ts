/** `check`: judges files and exits 0 clean, 1 with findings, 2 if something could not be judged. */
import { RULES } from '../core/findings';
import { wrongName } from '../core/nearest';
import { type FileReport, reportOf, type Shard, unreadFile } from '../core/report';
import { type Command, UsageError } from './command';
import { expandFiles, STDIN, whyFolderUnread } from './files';
import { dialectsWith, MAPPING_OPTION } from './mappings';
import { judgeAll } from './pool';
import { deliver, EXIT_CODES, VERDICT_OPTIONS } from './verdict';

/** `2/5`. */
const shardOf = (said: string | null): Shard | null => {
  if (said === null) return null;
  const [, i, n] = /^(\d+)\/(\d+)$/u.exec(said) ?? [];
  const index = Number(i);
  const of = Number(n);
  if (i === undefined || index < 1 || index > of) throw new UsageError(`--shard takes I/N with I from 1 to N, like 2/5; not "${said}".`);
  return { index, of };
};

/** Every file goes to exactly one shard, whatever the order they are named in. */
const partOf = (files: readonly string[], shard: Shard | null): readonly string[] =>
  shard === null ? files : [...files].sort().filter((_, at) => at % shard.of === shard.index - 1);

export const check: Command = {
  name: 'check',
  about: 'judge captures, HAR files and saved streams',
  usage: [
    'unsettled check FILE…',
    "unsettled check 'captures/**/*.unsettled.jsonl' --format junit > report.xml",
    'curl -N URL | unsettled check -',
  ],
  options: {
    ...VERDICT_OPTIONS,
    ...MAPPING_OPTION,
    mute: { value: 'RULE', about: 'leave out the findings of a rule', many: true },
    'allow-empty': { value: null, about: 'a file with no agent stream in it is fine' },
    shard: { value: 'I/N', about: 'judge only the I-th of N parts of the files; join the JSON reports with `unsettled merge`' },
  },
  help: `Each file is recognised by its content, never by its name: an Unsettled capture (also gzip), a HAR file, a
Playwright trace, a saved event stream or JSON body, the output of curl -i, or a stream recording.
A folder stands for the *.unsettled.jsonl files in it. Quote patterns so that they mean the same in every shell.

${EXIT_CODES}

Times are milliseconds after the page began; the panel counts those of a run from the run's first event.
To see what was said and when:  unsettled show FILE
To keep a rule from failing CI: unsettled check FILE --mute RULE`,
  async run(args, terminal) {
    if (args.rest.length === 0) throw new UsageError('Name at least one file, a pattern, or - for standard input.');
    for (const rule of args.all('mute')) {
      const wrong = wrongName(
        'rule',
        rule,
        RULES.map(({ id }) => id),
      );
      if (wrong !== null) throw new UsageError(`--mute ${rule}: ${wrong}`);
    }
    const mappings = args.all('mapping');
    dialectsWith(mappings);
    const shard = shardOf(args.one('shard'));
    const unread = new Map<string, FileReport>();
    const named = await expandFiles(args.rest, (folder, error) => {
      const message = whyFolderUnread(error);
      unread.set(folder, unreadFile(folder, message, { kind: 'file', message, line: null, where: null }));
    });
    const part = partOf([...named, ...unread.keys()], shard);
    const files = part.filter((path) => !unread.has(path));
    if (shard !== null && files.includes(STDIN)) throw new UsageError('Standard input has no shards: name files.');
    let shownAt = 0;
    const reports = await judgeAll(files, {
      muted: args.all('mute'),
      mappings,
      allowEmpty: args.has('allow-empty'),
      entry: terminal.entry,
      stdin: terminal.stdin,
      onDone(done) {
        if (!terminal.interactive || files.length < 8) return;
        const now = performance.now();
        if (done < files.length && now - shownAt < 100) return;
        shownAt = now;
        terminal.err(done === files.length ? '\r\u001b[K' : `\r${done} of ${files.length} files`);
      },
    });
    const folders = part.flatMap((path) => unread.get(path) ?? []);
    return deliver(reportOf([...reports, ...folders], shard), args, terminal);
  },
};

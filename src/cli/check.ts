/** `check`: judges files and exits 0 clean, 1 with findings, 2 if something could not be judged. */
import { RULES } from '../core/findings';
import { wrongName } from '../core/nearest';
import { reportOf } from '../core/report';
import { type Command, UsageError } from './command';
import { expandFiles } from './files';
import { dialectsWith, MAPPING_OPTION } from './mappings';
import { judgeAll } from './pool';
import { deliver, EXIT_CODES, VERDICT_OPTIONS } from './verdict';

/** `2/5`: every file goes to exactly one shard, whatever the order they are named in. */
const shardOf = (files: readonly string[], shard: string | null): readonly string[] => {
  if (shard === null) return files;
  const [, i, n] = /^(\d+)\/(\d+)$/u.exec(shard) ?? [];
  const index = Number(i);
  const total = Number(n);
  if (i === undefined || index < 1 || index > total)
    throw new UsageError(`--shard takes I/N with I from 1 to N, like 2/5; not "${shard}".`);
  return [...files].sort().filter((_, at) => at % total === index - 1);
};

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
    const files = shardOf(await expandFiles(args.rest), args.one('shard'));
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
    return deliver(reportOf(reports), args, terminal);
  },
};

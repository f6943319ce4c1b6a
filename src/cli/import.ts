/** `import`: any file that can be read, as a capture; or as HAR for other tools. */
import { exportHar } from '../core/capture/export-har';
import { CANNOT_JUDGE, CLEAN, type Command, UsageError } from './command';
import { captureText, loadCapture, OUTPUT_OPTIONS, redacted, SCRAMBLE_OPTIONS, writeOut } from './convert';
import { expandFiles, shown } from './files';
import { explain, faultsOfFile } from './judge';
import { plural } from './style';

export const importCommand: Command = {
  name: 'import',
  about: 'turn another format into a capture (or a capture into HAR)',
  usage: ['unsettled import SESSION.har -o OUT.unsettled.jsonl', 'unsettled import CAPTURE --to har -o OUT.har'],
  options: {
    ...OUTPUT_OPTIONS,
    to: { value: 'FORMAT', about: 'what to write (default: capture)', choices: ['capture', 'har'] },
    raw: { value: null, about: 'keep secrets as they are' },
    ...SCRAMBLE_OPTIONS,
  },
  help: `Reads what \`check\` reads. Secrets are replaced unless --raw is given; cookies and authorization are never kept.
HAR has no place for what a page showed; how much was left out is said.`,
  async run(args, terminal) {
    const files = await expandFiles(args.rest);
    if (files.length !== 1) throw new UsageError('Name one file, or - for standard input.');
    if (args.has('raw') && args.has('scramble')) throw new UsageError('--raw and --scramble cannot go together.');
    const path = files[0]!;
    let loaded: Awaited<ReturnType<typeof loadCapture>>;
    try {
      loaded = await loadCapture(path, terminal);
    } catch (error) {
      terminal.err(`unsettled: ${shown(path)}: ${explain(error)}\n`);
      return CANNOT_JUDGE;
    }
    for (const fault of faultsOfFile(loaded.summary)) terminal.err(`unsettled: ${shown(path)}: ${fault.message}\n`);
    const capture = args.has('raw') ? loaded.capture : redacted(loaded.capture, args, terminal);
    if (args.one('to') === 'har') {
      const { har, leftOut } = exportHar(capture);
      if (leftOut > 0)
        terminal.err(
          `${plural(leftOut, 'entry', 'entries')} of what the page showed and of gaps have no place in HAR and were left out.\n`,
        );
      await writeOut([`${JSON.stringify(har, null, 1)}\n`], args, terminal);
    } else await writeOut(captureText(capture), args, terminal);
    return loaded.summary.damage ? CANNOT_JUDGE : CLEAN;
  },
};

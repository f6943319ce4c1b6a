/** `import`: any file that can be read, as a capture; or as HAR for other tools. */
import { type Command, UsageError } from './command';
import { convert, SCRAMBLE_OPTIONS } from './convert';
import { expandFiles } from './files';
import { OUTPUT_OPTIONS } from './output';

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
HAR has no place for what a page showed; how much was left out is said.

A file of any size is read without being held in memory. --to har takes captures of up to 256 MB, --scramble of up to 64.`,
  async run(args, terminal) {
    const files = await expandFiles(args.rest);
    if (files.length !== 1)
      throw new UsageError(`Name one file, or - for standard input${files.length === 0 ? '' : `; ${files.length} are named`}.`);
    if (args.has('raw') && args.has('scramble')) throw new UsageError('--raw and --scramble cannot go together.');
    return convert(files[0]!, { raw: args.has('raw'), har: args.one('to') === 'har' }, args, terminal);
  },
};

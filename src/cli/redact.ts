/** `redact`: a capture without its secrets, or with all its texts scrambled, as a capture again. */
import { type Command, UsageError } from './command';
import { convert, SCRAMBLE_OPTIONS } from './convert';
import { expandFiles } from './files';
import { OUTPUT_OPTIONS } from './output';

export const redact: Command = {
  name: 'redact',
  about: 'take secrets out of a capture, or scramble its texts',
  usage: ['unsettled redact FILE -o OUT.unsettled.jsonl', 'unsettled redact FILE --scramble -o OUT.unsettled.jsonl.gz'],
  options: { ...OUTPUT_OPTIONS, ...SCRAMBLE_OPTIONS },
  help: `Replaces keys, tokens, passwords, cookies, private keys, e-mail addresses, card and phone numbers, also where
they are split over deltas or chunks, in base64, or in JSON inside JSON. Each becomes an alias of the same length.

--scramble replaces every letter and digit of all texts by others of the same kind, so that a private
conversation becomes a public repro. Tool names, ids, URLs and numbers stay: look before you share.

A file of any size is read three times and never held in memory; --scramble holds it, and takes up to 64 MB.

Look at what came out: unsettled show OUT`,
  async run(args, terminal) {
    const files = await expandFiles(args.rest);
    if (files.length !== 1)
      throw new UsageError(`Name one file, or - for standard input${files.length === 0 ? '' : `; ${files.length} are named`}.`);
    return convert(files[0]!, { raw: false, har: false }, args, terminal);
  },
};

/** `redact`: a capture without its secrets, or with all its texts scrambled, as a capture again. */
import { CANNOT_JUDGE, CLEAN, type Command, UsageError } from './command';
import { captureText, loadCapture, OUTPUT_OPTIONS, redacted, SCRAMBLE_OPTIONS, writeOut } from './convert';
import { expandFiles, shown } from './files';
import { explain, faultsOfFile } from './judge';

export const redact: Command = {
  name: 'redact',
  about: 'take secrets out of a capture, or scramble its texts',
  usage: ['unsettled redact FILE -o OUT.unsettled.jsonl', 'unsettled redact FILE --scramble -o OUT.unsettled.jsonl.gz'],
  options: { ...OUTPUT_OPTIONS, ...SCRAMBLE_OPTIONS },
  help: `Replaces keys, tokens, passwords, cookies, private keys and e-mail addresses, also where they are split
over deltas or chunks, in base64, or in JSON inside JSON. Each becomes an alias of the same length.

--scramble replaces every letter and digit of all texts by others of the same kind, so that a private
conversation becomes a public repro. Tool names, ids, URLs and numbers stay: look before you share.

Look at what came out: unsettled show OUT`,
  async run(args, terminal) {
    const files = await expandFiles(args.rest);
    if (files.length !== 1) throw new UsageError('Name one file, or - for standard input.');
    const path = files[0]!;
    let loaded: Awaited<ReturnType<typeof loadCapture>>;
    try {
      loaded = await loadCapture(path, terminal);
    } catch (error) {
      terminal.err(`unsettled: ${shown(path)}: ${explain(error)}\n`);
      return CANNOT_JUDGE;
    }
    const faults = faultsOfFile(loaded.summary);
    for (const fault of faults) terminal.err(`unsettled: ${shown(path)}: ${fault.message}\n`);
    await writeOut(captureText(redacted(loaded.capture, args, terminal)), args, terminal);
    return loaded.summary.damage ? CANNOT_JUDGE : CLEAN;
  },
};

#!/usr/bin/env node
/** The process around the command line: streams, colour, exit code. */
import { run } from './cli';
import { CANNOT_JUDGE } from './command';
import { outputLost } from './output';
import { servedAsWorker } from './pool';

const { env, stdout, stderr } = process;
const color = env.NO_COLOR ? false : env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY === true;

stdout.on('error', (error: NodeJS.ErrnoException) => {
  const { exitCode, message } = outputLost(error);
  if (message !== null) stderr.write(message);
  process.exit(exitCode);
});
// Where nothing can be said, the exit code still can.
stderr.on('error', () => {});

if (!servedAsWorker()) {
  try {
    process.exitCode = await run(process.argv.slice(2), {
      out: (text) => new Promise((resolve) => (stdout.write(text) ? resolve() : stdout.once('drain', resolve))),
      err: (text) => stderr.write(text),
      interactive: stderr.isTTY === true && !env.CI,
      color,
      columns: stdout.columns ?? 100,
      stdin: () => process.stdin,
      entry: new URL(import.meta.url),
    });
  } catch (error) {
    stderr.write(
      `unsettled: something unexpected went wrong: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = CANNOT_JUDGE;
  }
}

/** For tests: runs the command line as a program would be, with what it said and how it ended. Yields no stdin where there is none. */
import { run } from './cli';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export const ran = async (argv: readonly string[], stdin: string | Uint8Array | null = null, columns = 100): Promise<Ran> => {
  let out = '';
  let err = '';
  const code = await run(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    interactive: false,
    color: false,
    columns,
    entry: null,
    async *stdin() {
      if (stdin !== null) yield typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
    },
  });
  return { code, out, err };
};

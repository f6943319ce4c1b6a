/** The contract of a command: its name, its options, the help that teaches it, and what it does. One file per command. */

/** Where a command writes and what it may know of the terminal. Given from outside, so that commands can be tested. */
export interface Terminal {
  out(text: string): void | Promise<void>;
  err(text: string): void;
  /** Standard error is a terminal: progress may be shown there. */
  readonly interactive: boolean;
  /** Colours are wanted on standard output. */
  readonly color: boolean;
  readonly columns: number;
  stdin(): AsyncIterable<Uint8Array>;
  /** The program's own file, from which workers can be started; null where there is none. */
  readonly entry: URL | null;
}

export interface Option {
  /** The name of its value in help; null for a switch. */
  readonly value: string | null;
  readonly about: string;
  /** May be given more than once. */
  readonly many?: boolean;
  readonly short?: string;
  /** The values it takes, where it is a choice. */
  readonly choices?: readonly string[];
}

export interface Args {
  /** What is not an option. */
  readonly rest: readonly string[];
  has(option: string): boolean;
  one(option: string): string | null;
  all(option: string): readonly string[];
}

/** Exit codes, for ever. */
export const CLEAN = 0;
export const FINDINGS = 1;
export const CANNOT_JUDGE = 2;

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly about: string;
  readonly usage: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** What a person must know to use it, after usage and options. */
  readonly help: string;
  run(args: Args, terminal: Terminal): Promise<number>;
}

/** A mistake in how the tool was called: said with what to do, exit code 2. */
export class UsageError extends Error {}

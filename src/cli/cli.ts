/** Finds the command, reads its arguments, runs it. Help is made from the commands themselves. */
import { version } from '../../package.json' with { type: 'json' };
import { nearest } from '../core/nearest';
import { parseArgs } from './args';
import { check } from './check';
import { CANNOT_JUDGE, CLEAN, type Command, type Terminal, UsageError } from './command';
import { diff } from './diff';
import { importCommand } from './import';
import { merge } from './merge';
import { record } from './record';
import { redact } from './redact';
import { show } from './show';

export const COMMANDS: readonly Command[] = [check, show, diff, redact, importCommand, merge, record];

const overview = (): string => {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  return `unsettled ${version}
Judges agent streams: what settled each run, and what a page showed before that.

Usage: unsettled COMMAND [OPTIONS] FILE…

${COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`).join('\n')}

Help on one command: unsettled COMMAND --help
First steps: save a stream with \`curl -N URL > run.sse\`, then \`unsettled check run.sse\`.
`;
};

/** Lines of at most `width`, broken at spaces. */
const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
};

const HELP_WIDTH = 110;

export const helpOf = (command: Command): string => {
  const options = Object.entries({ ...command.options, help: { value: null, about: 'this help' } as Command['options'][string] }).map(
    ([name, option]) => ({
      left: `${option.short ? `-${option.short}, ` : ''}--${name}${option.value === null ? '' : ` ${option.value}`}`,
      about: `${option.about}${option.choices ? `: ${option.choices.join(', ')}` : ''}${option.many ? ' (may be repeated)' : ''}`,
    }),
  );
  const width = Math.max(...options.map(({ left }) => left.length));
  return `unsettled ${command.name}: ${command.about}

Usage: ${command.usage.join('\n       ')}

${options.map(({ left, about }) => `  ${left.padEnd(width)}  ${wrap(about, HELP_WIDTH - width - 4).join(`\n${' '.repeat(width + 4)}`)}`).join('\n')}

${command.help}
`;
};

const noCommand = (name: string): string => {
  const names = COMMANDS.map((candidate) => candidate.name);
  return `There is no command ${name}.${nearest(name, names)} The commands: ${names.join(', ')}.`;
};

export const run = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const command = COMMANDS.find((candidate) => candidate.name === rest[0]);
    if (name === 'help' && rest[0] !== undefined && command === undefined) {
      terminal.err(`unsettled: ${noCommand(rest[0])}\n`);
      return CANNOT_JUDGE;
    }
    await terminal.out(command ? helpOf(command) : overview());
    return name === undefined ? CANNOT_JUDGE : CLEAN;
  }
  if (name === '--version' || name === '-v') {
    await terminal.out(`${version}\n`);
    return CLEAN;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  try {
    if (command === undefined) throw new UsageError(noCommand(name));
    if (rest.includes('--help') || rest.includes('-h')) {
      await terminal.out(helpOf(command));
      return CLEAN;
    }
    return await command.run(parseArgs(rest, command.options), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`unsettled: ${error.message}\n${command ? `Help: unsettled ${command.name} --help\n` : ''}`);
    return CANNOT_JUDGE;
  }
};

/** Reads a command's arguments strictly: an unknown option, a missing value or a value that is no choice is said, with the nearest right one. */
import { nearest } from '../core/nearest';
import { type Args, type Option, UsageError } from './command';

export const parseArgs = (argv: readonly string[], options: Readonly<Record<string, Option>>): Args => {
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  const names = Object.keys(options);
  const put = (name: string, value: string): void => {
    const option = options[name]!;
    if (option.choices && !option.choices.includes(value))
      throw new UsageError(`--${name} takes ${option.choices.join(', ')}; not "${value}".${nearest(value, option.choices)}`);
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else if (option.many || option.value === null) list.push(value);
    else throw new UsageError(`--${name} is given twice.`);
  };
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]!;
    if (arg === '--') {
      rest.push(...argv.slice(i + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      rest.push(arg);
      continue;
    }
    const long = arg.startsWith('--');
    const cut = arg.indexOf('=');
    const word = long ? arg.slice(2, cut < 0 ? undefined : cut) : arg.slice(1);
    const name = long ? word : names.find((candidate) => options[candidate]!.short === word);
    const option = name === undefined ? undefined : options[name];
    if (name === undefined || option === undefined) throw new UsageError(`There is no option ${arg}.${nearest(word, names, '--')}`);
    if (option.value === null) {
      if (long && cut >= 0) throw new UsageError(`--${name} takes no value.`);
      put(name, '');
      continue;
    }
    const value = long && cut >= 0 ? arg.slice(cut + 1) : argv[++i];
    if (value === undefined) throw new UsageError(`--${name} needs a value: --${name} ${option.value}.`);
    put(name, value);
  }
  return {
    rest,
    has: (name) => values.has(name),
    one: (name) => values.get(name)?.[0] ?? null,
    all: (name) => values.get(name) ?? [],
  };
};

/**
 * Whether an expression that somebody wrote may try without end: nothing can stop an expression that runs, so it is judged before.
 * A choice under a repeat is one of every turn: `(a+)+`, `(aa?)*`, `(a|a)*`, `(a?){30}` double with each letter. Doubtful ones are
 * refused too: `(?:[a-z]+_)*`, `(\w|-)+`. Repeats one behind the other are not: they cost a power of the text's length.
 */

/** A group without groups in it, and whether it is repeated: up to nine turns are not many. */
const GROUP = /\((?:\?[^=!:>]*.)?([^()]*)\)(?=([*+]|\{\d[\d,])|)/u;
/** A repeat, what may be missing, a backreference, a branch that begins like another or with no letter of its own. */
const CHOICE = /[*+?\\]|\{\d*,|\|\.|^\..*\||(?:^|\|)(.).*\|\1/isu;

/** Means something only of what compiles, without the flag `v`; never throws. */
export const mayNeverEnd = (source: string): boolean => {
  // Escapes and classes become a dot, groups too, from the inside out; a group that must not be leaves a bracket too many.
  let text = source.replace(/\\(?![1-9k]).|\[(?:\\.|[^\]\\])*\]/gsu, '.');
  while (GROUP.test(text)) text = text.replace(GROUP, (_, body: string, many) => (CHOICE.test(body) ? (many ? ')' : '.?') : '.'));
  return text.includes(')');
};

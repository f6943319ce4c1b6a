/** How a voice and a standing are written: a letter on the voice's colour, hollow and dashed while provisional. */
import type { Standing } from '../../core/model';
import { type Strings, useStrings } from '../strings';
import { type Lane, LETTER } from '../voices';
import { Icon } from './icons';

interface Said {
  /** The name stands beside it. */
  readonly said?: boolean;
}
interface Badge extends Said {
  readonly lane: Lane;
  readonly standing: Standing | null;
}
interface Mark extends Said {
  readonly standing: Standing;
}

/** One element and no text of its own beside the letter: the table rewrites very many of them. */
const named = (name: string, said = false) => (said ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': name });

/** Not as components, of which each costs as much as what it draws: for the table. */
export const voiceBadge = (t: Strings, { lane, standing, said }: Badge) => (
  <span class={`badge v-${lane}${standing === 'provisional' ? ' hollow' : ''}`} title={t.voice[lane]} {...named(t.voice[lane], said)}>
    {LETTER[lane]}
  </span>
);
export const standingMark = (t: Strings, { standing, said }: Mark) => (
  <span class={`standing s-${standing}`} title={t.standing[standing]} {...named(t.standing[standing], said)}>
    {Icon({ name: standing, size: 12 })}
  </span>
);

export const VoiceBadge = (badge: Badge) => voiceBadge(useStrings(), badge);
export const StandingMark = (mark: Mark) => standingMark(useStrings(), mark);

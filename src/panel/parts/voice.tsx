/** How a voice and a standing are written: a letter on the voice's colour, hollow and dashed while provisional. */
import type { Standing } from '../../core/model';
import { useStrings } from '../strings';
import { type Lane, LETTER } from '../voices';
import { Icon } from './icons';

export const VoiceBadge = ({ lane, standing, said = false }: { lane: Lane; standing: Standing | null; said?: boolean }) => {
  const t = useStrings();
  return (
    <span class={`badge v-${lane}${standing === 'provisional' ? ' hollow' : ''}`} title={t.voice[lane]}>
      <span aria-hidden="true">{LETTER[lane]}</span>
      {said ? null : <span class="sr">{t.voice[lane]}</span>}
    </span>
  );
};

export const StandingMark = ({ standing, said = false }: { standing: Standing; said?: boolean }) => {
  const t = useStrings();
  return (
    <span class={`standing s-${standing}`} title={t.standing[standing]}>
      <Icon name={standing} size={12} />
      {said ? null : <span class="sr">{t.standing[standing]}</span>}
    </span>
  );
};

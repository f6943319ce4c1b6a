/** The page at the moment of a finding, with the region outlined on it; or why there is no picture. */
import type { Finding } from '../../../core/model';
import { usePanel } from '../../context';
import { duration } from '../../format';
import { Button } from '../../parts/button';
import { useStrings } from '../../strings';
import { download } from '../capture-actions';

const percent = (part: number, whole: number): string => `${whole > 0 ? (part / whole) * 100 : 0}%`;

const bytesOf = (image: string): Blob => {
  const text = atob(image.slice(image.indexOf(',') + 1));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], { type: 'image/jpeg' });
};

export const PicturePart = ({ finding }: { finding: Finding }) => {
  const { pictures } = usePanel();
  const t = useStrings();
  const picture = pictures.all.value.get(finding.key);
  if (picture === undefined) return null;
  if (picture.state === 'none') return <span class="soft">{t.picture.none[picture.why]}</span>;
  const { image, afterMs, box, width, height } = picture;
  const after = duration(afterMs);
  return (
    <figure class="page-picture">
      <div class="page-picture-frame">
        <img src={image} alt={t.picture.alt(after)} />
        {box === null ? null : (
          <span
            class="page-picture-region"
            style={{
              left: percent(box.x, width),
              top: percent(box.y, height),
              width: percent(box.width, width),
              height: percent(box.height, height),
            }}
          />
        )}
      </div>
      <figcaption class="soft">
        {t.picture.after(after)} {box === null && finding.region !== null ? `${t.picture.unplaced} ` : ''}
        {t.picture.only}{' '}
        <Button icon="save" title={t.picture.saveHint} onClick={() => download(bytesOf(image), `${finding.rule}.jpg`)}>
          {t.picture.save}
        </Button>
      </figcaption>
    </figure>
  );
};

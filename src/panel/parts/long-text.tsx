/** Text of any length: the head is drawn, the rest on demand, so that one huge frame cannot freeze the panel. */

import { useSignal } from '@preact/signals';
import { count } from '../format';
import { useStrings } from '../strings';
import type { Lane } from '../voices';
import { Marked } from './marked';
import { set } from './set';

const FIRST = 20_000;

export const LongText = (props: { text: string; lane?: Lane; provisional?: boolean; mono?: boolean; wrap?: boolean }) => {
  const t = useStrings();
  const limit = useSignal(FIRST);
  const { text } = props;
  const shown = text.length > limit.value ? text.slice(0, limit.value) : text;
  const classes = [
    'long-text',
    props.mono ? 'mono' : '',
    props.wrap === false ? 'no-wrap' : '',
    props.lane === undefined ? '' : `v-${props.lane}`,
    props.provisional ? 'provisional' : '',
  ];
  return (
    <div class={classes.filter((each) => each !== '').join(' ')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <Marked text={shown} />
      </pre>
      {shown.length === text.length ? null : (
        <button type="button" class="button" onClick={() => set(limit, limit.value * 10)}>
          {t.showMore(count(text.length - shown.length))}
        </button>
      )}
    </div>
  );
};

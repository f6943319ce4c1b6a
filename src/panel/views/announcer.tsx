/** The one live region: findings, and nothing else, are said aloud when they come. */
import { useStore } from '../context';
import { useStrings } from '../strings';

export const Announcer = () => {
  const store = useStore();
  const t = useStrings();
  const news = store.announce.value;
  return (
    <div class="sr" role="status" aria-live="polite">
      {news === null ? '' : t.announce(news.count, t.rules[news.finding.rule]?.title ?? news.finding.rule)}
    </div>
  );
};

/** What the details show when no single run is chosen: how the runs of the session ended, and what was found. */
import { useStore } from '../../context';
import { count } from '../../format';
import { type Ending, endingOf, iconOf, TONE } from '../../outcome';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icons';
import { useStrings } from '../../strings';
import { mappingSheet } from '../mapping-state';

export const AllRuns = () => {
  const store = useStore();
  const t = useStrings();
  store.revision.value;
  const scope = store.scope.value;
  if (scope.kind === 'flow') {
    const flow = store.session().flows.get(scope.flow);
    return (
      <div class="stack">
        <p>{t.strangerMeans}</p>
        <div class="buttons">
          <Button
            onClick={() => {
              const frame = store
                .session()
                .frames(scope.flow)
                .find((each) => each.kind === 'data' && each.direction === 'received');
              mappingSheet.value = { frame: frame ?? null, url: flow?.url ?? '' };
            }}
          >
            {t.mapping.title}…
          </Button>
        </div>
        {flow === undefined ? null : (
          <p class="mono wrap">
            {flow.method} {flow.url} · {flow.status ?? ''} · {flow.headers['content-type'] ?? ''}
          </p>
        )}
      </div>
    );
  }
  const by = new Map<Ending, number>();
  for (const { settlement } of store.runs.value) {
    const ending = endingOf(settlement);
    by.set(ending, (by.get(ending) ?? 0) + 1);
  }
  if (by.size === 0) return <p class="hint">{t.nothingSelected}</p>;
  return (
    <div class="stack">
      <ul class="plain outcomes">
        {[...by].map(([ending, number]) => (
          <li key={ending} class={`ending tone-${TONE[ending]}`}>
            <Icon name={iconOf(ending)} size={14} /> <span class="tabular">{count(number)}</span> <span>{t.outcome[ending]}</span>
          </li>
        ))}
      </ul>
      <p class="hint">{t.chooseRun}</p>
    </div>
  );
};

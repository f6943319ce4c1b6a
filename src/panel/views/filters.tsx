/**
 * Second bar: the filters that have a name, the stretch of time that is left, a chip per voice with its count, a chip per
 * standing, findings only. A double click shows one voice alone.
 */
import { useStore } from '../context';
import { applyFilter, isApplied } from '../filter-sets';
import { clock, count } from '../format';
import { Icon } from '../parts/icons';
import { Menu } from '../parts/menu';
import { set } from '../parts/set';
import { StandingMark, VoiceBadge } from '../parts/voice';
import { useStrings } from '../strings';
import { LANES, type Lane, STANDINGS } from '../voices';
import { filterSetsOpen } from './sheets';

const toggled = (list: readonly string[], item: string): readonly string[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item];

/** Shows this voice alone, or all again if it is alone already. */
const solo = (hidden: readonly string[], lane: Lane): readonly string[] => {
  const others = LANES.filter((each) => each !== lane);
  return others.every((each) => hidden.includes(each)) && !hidden.includes(lane) ? [] : others;
};

/** On the timeline's clock, which begins with what is shown. */
const StretchChip = () => {
  const store = useStore();
  const t = useStrings();
  const stretch = store.stretch.value;
  if (stretch === null) return null;
  const [from, to] = [clock(stretch.from - store.base.value), clock(stretch.to - store.base.value)];
  return (
    <button type="button" class="chip on stretch-chip tabular" title={t.stretchClear} onClick={() => store.setStretch(null)}>
      <Icon name="fit" size={12} />
      {t.stretch(from, to)}
      <Icon name="close" size={11} />
    </button>
  );
};

const FilterSets = () => {
  const { settings } = useStore();
  const t = useStrings();
  return (
    <span class="filter-sets">
      <Menu
        icon="filters"
        label={t.filterSets.title}
        keys="V"
        floating
        items={[
          ...settings.filterSets.value.map((each) => ({
            label: each.name,
            checked: isApplied(each, settings),
            onSelect: () => applyFilter(each, settings),
          })),
          { label: t.filterSets.menu, icon: 'settings' as const, onSelect: () => set(filterSetsOpen, true) },
        ]}
      />
    </span>
  );
};

export const Filters = () => {
  const store = useStore();
  const t = useStrings();
  const { settings } = store;
  const scope = store.scope.value;
  store.revision.value;
  // While one run is shown, the others are not gone through.
  const { run } = store;
  const runs = scope.kind === 'all' ? store.runs.value : run.value === null ? [] : [run.value];
  const counts = new Map<Lane, number>();
  for (const lane of LANES)
    counts.set(
      lane,
      runs.reduce((sum, { voices }) => sum + voices[lane], 0),
    );
  if (scope.kind === 'flow') counts.set('unrecognised', store.session().flows.get(scope.flow)?.frames ?? 0);
  const hidden = settings.hiddenLanes.value;
  return (
    <div class="filters" role="toolbar" aria-label={t.filters}>
      <FilterSets />
      <StretchChip />
      {LANES.map((lane, index) => {
        const number = counts.get(lane) ?? 0;
        if (lane === 'unrecognised' && number === 0 && !hidden.includes(lane)) return null;
        const on = !hidden.includes(lane);
        return (
          <button
            type="button"
            key={lane}
            class={`chip${on ? '' : ' off'}${number === 0 ? ' none' : ''}`}
            aria-pressed={on}
            title={t.chipHint(t.voice[lane], `Shift+${(index + 1) % 10}`)}
            onClick={(event) => {
              settings.hiddenLanes.value = event.altKey ? solo(hidden, lane) : toggled(hidden, lane);
            }}
            onDblClick={() => {
              settings.hiddenLanes.value = solo(LANES.includes(lane) ? settings.hiddenLanes.peek() : [], lane);
            }}
          >
            <VoiceBadge lane={lane} standing={null} />
            <span class="chip-name">{t.voice[lane]}</span>
            <span class="tabular">{count(number)}</span>
          </button>
        );
      })}
      <span class="bar-line" />
      {STANDINGS.map((standing) => {
        const on = !settings.hiddenStandings.value.includes(standing);
        return (
          <button
            type="button"
            key={standing}
            class={`chip icon-only${on ? '' : ' off'}`}
            aria-pressed={on}
            title={t.standing[standing]}
            onClick={() => {
              settings.hiddenStandings.value = toggled(settings.hiddenStandings.value, standing);
            }}
          >
            <StandingMark standing={standing} />
          </button>
        );
      })}
      <button
        type="button"
        class={`chip${settings.findingsOnly.value ? ' on' : ''}`}
        aria-pressed={settings.findingsOnly.value}
        title={`${t.findingsOnly} (F)`}
        aria-label={t.findingsOnly}
        onClick={() => {
          settings.findingsOnly.value = !settings.findingsOnly.value;
        }}
      >
        <Icon name="alarm" size={13} />
        <span class="chip-name">{t.findingsOnlyShort}</span>
      </button>
      {store.filter.value === null ? null : (
        <button type="button" class="chip link" onClick={() => store.resetFilter()}>
          {t.showAll}
        </button>
      )}
    </div>
  );
};

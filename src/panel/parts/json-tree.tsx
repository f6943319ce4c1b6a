/** JSON as a tree of disclosures, drawn only as far as it is opened. Values are text, never markup. */

import { useSignal } from '@preact/signals';
import { count } from '../format';
import { useStrings } from '../strings';
import { Icon } from './icons';
import { Marked } from './marked';
import { flip, set } from './set';

const AT_ONCE = 200;
const LONG = 2_000;

const Leaf = ({ value }: { value: unknown }) => {
  const text = typeof value === 'string' ? JSON.stringify(value.length > LONG ? `${value.slice(0, LONG)}…` : value) : String(value);
  return (
    <span class={`json-${value === null ? 'null' : typeof value}`}>
      <Marked text={text} />
    </span>
  );
};

const Branch = ({ name, value, depth, openTo }: { name: string; value: unknown; depth: number; openTo: number }) => {
  const t = useStrings();
  const open = useSignal(depth < openTo);
  const limit = useSignal(AT_ONCE);
  if (typeof value !== 'object' || value === null)
    return (
      <li>
        <span class="json-key">{name}</span>: <Leaf value={value} />
      </li>
    );
  const entries = Object.entries(value);
  const brackets = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <li>
      <button type="button" class="json-twist" aria-expanded={open.value} onClick={() => flip(open)}>
        <Icon name={open.value ? 'down' : 'right'} size={11} />
        <span class="json-key">{name}</span>
        <span class="soft">
          {brackets[0]}
          {entries.length}
          {brackets[1]}
        </span>
      </button>
      {open.value ? (
        <ul>
          {entries.slice(0, limit.value).map(([key, child]) => (
            <Branch key={key} name={key} value={child} depth={depth + 1} openTo={openTo} />
          ))}
          {entries.length > limit.value ? (
            <li>
              <button type="button" class="button" onClick={() => set(limit, limit.value * 5)}>
                {t.showMore(count(entries.length - limit.value))}
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
};

export const JsonTree = ({ value, label, openTo = 2 }: { value: unknown; label: string; openTo?: number }) => (
  <ul class="json mono" aria-label={label}>
    <Branch name={label} value={value} depth={0} openTo={openTo} />
  </ul>
);

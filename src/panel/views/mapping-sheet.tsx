/**
 * Mapping files: the list, an editor that says at once what is wrong and in which line, and a form that makes an entry from
 * an example frame. What is applied is kept and holds for everything captured so far, at once.
 */
import { useComputed, useSignal } from '@preact/signals';
import type { WireFrame } from '../../core/model';
import { usePanel } from '../context';
import { exampleOf, freshId, MEANINGS, type Meaning, needsText, newMapping, withEntry } from '../mapping-draft';
import { dialectsOf, viewMapping } from '../mappings';
import { Button } from '../parts/button';
import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import { useStrings } from '../strings';
import { mappingSheet } from './mapping-state';

const ExampleForm = ({ frame, url, draft, onDraft }: { frame: WireFrame; url: string; draft: string; onDraft: (text: string) => void }) => {
  const { store } = usePanel();
  const t = useStrings();
  const example = useComputed(() => exampleOf(frame)).value;
  const typePath = useSignal(example.typePath);
  const meaning = useSignal<Meaning>('reasoning');
  const textPath = useSignal(example.textPath);
  const type =
    typePath.value === example.typePath
      ? example.type
      : (example.paths.find((each) => each.path === typePath.value)?.sample ?? example.type);
  const option = (each: { readonly path: string; readonly sample: string }) => (
    <option key={each.path} value={each.path}>
      {each.path}: {each.sample.slice(0, 40)}
    </option>
  );
  const add = (): void => {
    const answer = { meaning: meaning.value, typePath: typePath.value, type, textPath: textPath.value };
    const taken = store.settings.mappings.peek().map((text) => viewMapping(text).id);
    const extended = draft.trim() === '' ? null : withEntry(draft, answer);
    onDraft(extended ?? newMapping(freshId(url, taken), url, answer));
  };
  return (
    <fieldset class="choice">
      <legend>{t.mappingSheet.example}</legend>
      <label>
        <span class="label-text">{t.mappingSheet.typeAt}</span>
        <select value={typePath.value} onChange={(event) => set(typePath, event.currentTarget.value)}>
          {example.typePath === '$event' ? <option value="$event">$event: {example.type}</option> : null}
          {example.paths.map(option)}
        </select>
      </label>
      <label>
        <span class="label-text">{t.mappingSheet.means(type)}</span>
        <select value={meaning.value} onChange={(event) => set(meaning, event.currentTarget.value as Meaning)}>
          {MEANINGS.map((each) => (
            <option key={each} value={each}>
              {t.mappingSheet.meaning[each]}
            </option>
          ))}
        </select>
      </label>
      {needsText(meaning.value) ? (
        <label>
          <span class="label-text">{t.mappingSheet.textAt}</span>
          <select value={textPath.value} onChange={(event) => set(textPath, event.currentTarget.value)}>
            {example.paths.map(option)}
          </select>
        </label>
      ) : null}
      <div class="buttons">
        <Button onClick={add}>{t.mappingSheet.add}</Button>
      </div>
    </fieldset>
  );
};

export const MappingSheet = ({ frame, url }: { frame: WireFrame | null; url: string }) => {
  const { store } = usePanel();
  const t = useStrings();
  const { mappings } = store.settings;
  /** Index of the mapping in the editor; -1: a new one. */
  const editing = useSignal(frame !== null && mappings.peek().length > 0 ? mappings.peek().length - 1 : -1);
  const draft = useSignal(editing.peek() >= 0 ? mappings.peek()[editing.peek()]! : '');
  const view = draft.value.trim() === '' ? null : viewMapping(draft.value);

  const apply = (next: readonly string[]): void => {
    mappings.value = next;
    store.remap(dialectsOf(next));
  };
  const save = (): void => {
    const list = [...mappings.peek()];
    if (editing.peek() >= 0) list[editing.peek()] = draft.peek();
    else {
      list.push(draft.peek());
      editing.value = list.length - 1;
    }
    apply(list);
  };
  const edit = (index: number): void => {
    editing.value = index;
    draft.value = index < 0 ? '' : mappings.peek()[index]!;
  };
  return (
    <Sheet title={t.mapping.title} onClose={() => set(mappingSheet, null)}>
      <div class="stack">
        <p class="hint">{t.mappingSheet.hint}</p>
        {mappings.value.length === 0 ? null : (
          <ul class="plain mapping-list">
            {mappings.value.map((text, index) => {
              const each = viewMapping(text);
              return (
                <li key={each.id} class="muted-rule">
                  <span>
                    {each.title} <span class="mono soft">{each.id}</span>
                    {each.problems.length === 0 ? null : <span class="bad"> {t.mappingSheet.wrong}</span>}
                  </span>
                  <span class="buttons">
                    <Button onClick={() => edit(index)}>{t.mappingSheet.edit}</Button>
                    <Button
                      onClick={() => {
                        apply(mappings.peek().filter((_, at) => at !== index));
                        edit(-1);
                      }}
                    >
                      {t.mappingSheet.remove}
                    </Button>
                  </span>
                </li>
              );
            })}
          </ul>
        )}
        {frame === null ? null : <ExampleForm frame={frame} url={url} draft={draft.value} onDraft={(text) => set(draft, text)} />}
        <label class="editor">
          <span>{editing.value < 0 ? t.mappingSheet.newFile : t.mappingSheet.file}</span>
          <textarea
            class="mono"
            rows={14}
            spellcheck={false}
            value={draft.value}
            aria-describedby="mapping-problems"
            onInput={(event) => set(draft, event.currentTarget.value)}
          />
        </label>
        <ul class="plain mono" id="mapping-problems" aria-live="polite">
          {view?.problems.slice(0, 8).map((problem) => (
            <li key={`${problem.line}${problem.key}`} class="bad wrap">
              {problem.line === null ? '' : `${problem.line}: `}
              {problem.key === '' ? '' : `${problem.key}: `}
              {problem.message}
            </li>
          ))}
          {view !== null && view.problems.length === 0 ? <li>{t.mappingSheet.right}</li> : null}
        </ul>
        <div class="buttons">
          <Button primary disabled={view === null || view.problems.length > 0} onClick={save}>
            {t.mappingSheet.apply}
          </Button>
          {editing.value < 0 ? null : <Button onClick={() => edit(-1)}>{t.mappingSheet.another}</Button>}
          <Button onClick={() => set(mappingSheet, null)}>{t.close}</Button>
        </div>
      </div>
    </Sheet>
  );
};

/** A view whose code is fetched when it is first shown: what most panels never open costs them nothing. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useStrings } from '../strings';

const Unloaded = () => (
  <p class="hint" role="alert">
    {useStrings().linkGone}
  </p>
);

export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  /** What is shown: nothing while it is on its way, and words where it does not come. */
  const view = signal<ComponentType<P> | null>(null);
  let asked = false;
  return (props: P) => {
    const View = view.value;
    if (!asked) {
      asked = true;
      load().then(
        (loaded) => {
          view.value = loaded;
        },
        () => {
          // The extension was updated under the open panel, and the files of this one are gone.
          view.value = Unloaded;
        },
      );
    }
    return View === null ? null : <View {...props} />;
  };
};

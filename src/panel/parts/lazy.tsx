/** A view whose code is fetched when it is first shown: what most panels never open costs them nothing. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  const loaded = signal<ComponentType<P> | null>(null);
  let asked = false;
  return (props: P) => {
    const View = loaded.value;
    if (View !== null) return <View {...props} />;
    if (!asked) {
      asked = true;
      load().then(
        (view) => {
          loaded.value = view;
        },
        () => {
          // The extension may have been updated under the open panel: asked again when it is next drawn.
          asked = false;
        },
      );
    }
    return null;
  };
};

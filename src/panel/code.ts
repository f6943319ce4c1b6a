/** Code and other files of the panel that are fetched when they are first needed. */
import { signal } from '@preact/signals';

/** Something did not come: the extension was updated under the open panel, and the files of this one are gone. The notice bar says so. */
export const codeGone = signal(false);

/** What is being fetched, for who has nowhere to say that it does not come. Null: it does not, and that is being said. */
export const codeOf = <T>(fetched: Promise<T>): Promise<T | null> =>
  fetched.catch(() => {
    codeGone.value = true;
    return null;
  });

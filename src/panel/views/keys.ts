/** Keys that work wherever the focus is, but not while text is typed. The sheet in shortcut-sheet.tsx lists them all. */
import type { Panel } from '../context';
import type { Store } from '../store';
import { LANES } from '../voices';
import { openFile, saving } from './capture-actions';
import { compareRun, comparing, endComparison } from './compare/state';
import { pointNowhere } from './point-button';
import { settingsOpen, sheetOpen } from './sheets';

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

export const goToFinding = (store: Store, by: 1 | -1): void => {
  const list = store.findings.peek();
  if (list.length === 0) return;
  const at = list.findIndex((finding) => finding.key === store.selectedFinding.peek());
  const next = list[at < 0 ? 0 : (at + by + list.length) % list.length];
  if (next !== undefined) store.openFinding(next);
};

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();

export const installKeys = (panel: Panel): (() => void) => {
  const { store, shell } = panel;
  const { settings } = store;
  const key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && !event.altKey) {
      switch (event.key.toLowerCase()) {
        case 'f':
          focus('#search');
          break;
        case 'l':
          store.clear();
          break;
        case 'o':
          openFile(panel);
          break;
        case 's':
          saving.value = { run: null };
          break;
        default:
          return;
      }
      event.preventDefault();
      return;
    }
    if (typing(event.target) || control || event.altKey) return;
    // One key per voice: Shift and the digit of its chip, whatever the layout makes of it.
    const digit = /^Digit(\d)$/u.exec(event.code)?.[1];
    if (event.shiftKey && digit !== undefined) {
      const lane = LANES[(Number(digit) + 9) % 10];
      if (lane === undefined) return;
      const hidden = settings.hiddenLanes.peek();
      settings.hiddenLanes.value = hidden.includes(lane) ? hidden.filter((each) => each !== lane) : [...hidden, lane];
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case '/':
        focus('#search');
        break;
      case '?':
        sheetOpen.value = !sheetOpen.peek();
        break;
      case 'Escape':
        if (sheetOpen.peek() || settingsOpen.peek()) {
          sheetOpen.value = false;
          settingsOpen.value = false;
        } else if (comparing.peek() !== null) endComparison();
        else if (pointNowhere(panel)) break;
        else if (store.asOf.peek() !== null) store.setAsOf(null, null);
        else if (store.stretch.peek() !== null) store.setStretch(null);
        else if (store.selected.peek() !== null) store.selected.value = null;
        else return;
        break;
      case '1':
        settings.runsOpen.value = !settings.runsOpen.peek();
        break;
      case '2':
        settings.timelineOpen.value = !settings.timelineOpen.peek();
        break;
      case '3':
        settings.detailsOpen.value = !settings.detailsOpen.peek();
        break;
      case 'e':
        if (!shell.hasTab) return;
        shell.record(!store.capturing.peek());
        break;
      case 'p': {
        const feed = store.feed.peek();
        feed.pause(!feed.paused.peek());
        break;
      }
      case 'f':
        settings.findingsOnly.value = !settings.findingsOnly.peek();
        break;
      case 'c': {
        const scope = store.scope.peek();
        if (comparing.peek() !== null) endComparison();
        else if (scope.kind !== 'run' || !compareRun(store, scope.run)) return;
        break;
      }
      case 'u':
        settings.fold.value = !settings.fold.peek();
        break;
      case 'o':
        if (!shell.hasTab) return;
        store.outline(!store.outlining.peek());
        break;
      case 'v':
        document.querySelector<HTMLElement>('.filter-sets .icon-button')?.click();
        break;
      case 'n':
        goToFinding(store, 1);
        break;
      case 'N':
        goToFinding(store, -1);
        break;
      case '[':
        store.stepAsOf(-1);
        break;
      case ']':
        store.stepAsOf(1);
        break;
      case 'r':
        focus('.run-list');
        break;
      case 't':
        focus('.timeline canvas');
        break;
      case 'g':
        focus('.grid');
        break;
      case 'd':
        settings.detailsOpen.value = true;
        requestAnimationFrame(() => focus('[role="tab"][aria-selected="true"]'));
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  addEventListener('keydown', key);
  return () => removeEventListener('keydown', key);
};

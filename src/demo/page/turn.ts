/** One turn of the conversation on the page: the person's message, and whatever is shown for it. Builds elements only. */

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  set: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = Object.assign(document.createElement(tag), set);
  made.append(...children);
  return made;
};

/** What can be shown in a turn. Each shows or replaces one thing. */
export interface Turn {
  /** Adds to the disclosure with this label. */
  aside(label: string, text: string): void;
  activity(text: string): void;
  answer(text: string): void;
  question(prompt: string, reply: (text: string) => void): void;
  notice(kind: 'warn' | 'bad', text: string, retry?: () => void): void;
  noNotice(): void;
  /** A spinner with these words; null takes it away. */
  working(text: string | null): void;
  /** The tools of a finished message. */
  tools(text: string): void;
}

/** Adds a turn to the log. */
export const addTurn = (log: HTMLElement, message: string): Turn => {
  const turn = element('section', { className: 'turn' }, element('div', { className: 'mine', textContent: message }));
  log.append(turn);
  let aside: { readonly label: string; readonly text: HTMLElement } | null = null;
  let list: HTMLUListElement | null = null;
  let answer: HTMLElement | null = null;
  let notice: HTMLElement | null = null;
  let working: HTMLElement | null = null;
  const show = (made: HTMLElement): void => {
    turn.insertBefore(made, working);
    made.scrollIntoView({ block: 'nearest' });
  };

  return {
    aside(label, text) {
      if (aside?.label !== label) {
        aside = { label, text: element('p', {}) };
        show(element('details', { open: true }, element('summary', { textContent: label }), aside.text));
      }
      aside.text.textContent += text;
    },
    activity(text) {
      if (list === null) {
        list = element('ul', { className: 'activity', ariaLabel: 'Progress' });
        show(list);
      }
      list.append(element('li', { textContent: text }));
      aside = null;
    },
    answer(text) {
      if (answer === null) {
        answer = element('div', { className: 'answer' });
        show(answer);
      }
      answer.textContent = text;
    },
    question(prompt, reply) {
      const input = element('input', { ariaLabel: 'Your reply', required: true });
      const form = element(
        'form',
        { className: 'question' },
        element('p', { textContent: prompt }),
        input,
        element('button', { type: 'submit', textContent: 'Reply' }),
      );
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        for (const control of form.elements) (control as HTMLInputElement | HTMLButtonElement).disabled = true;
        reply(input.value);
      });
      show(form);
    },
    notice(kind, text, retry) {
      notice?.remove();
      notice = element('div', { className: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }, text);
      if (retry) notice.append(element('button', { type: 'button', textContent: 'Try again', onclick: retry }));
      show(notice);
    },
    noNotice() {
      notice?.remove();
      notice = null;
    },
    working(text) {
      working?.remove();
      working = null;
      if (text === null) return;
      working = element('div', { className: 'working' }, element('span', { className: 'spinner' }), text);
      turn.append(working);
    },
    tools(text) {
      const copy = element('button', { type: 'button', textContent: 'Copy', onclick: () => void navigator.clipboard.writeText(text) });
      show(element('div', { className: 'tools' }, copy));
    },
  };
};

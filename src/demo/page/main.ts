/** Entry of the demo page: reads which page and scenario are wanted, keeps the controls, and starts runs. */
import { SCENARIOS } from '../scenarios';
import { careful } from './careful';
import { careless } from './careless';
import './style.css';
import { cancelRun, type RunnerEvent } from './wire';

/** What a variant needs of the page around it. */
export interface Conversation {
  readonly log: HTMLElement;
  readonly session: string;
  /** The query that names the scenario to the agent. */
  readonly query: string;
  /** The newest event of the run under way, for stopping it. */
  current: RunnerEvent | null;
  busy(on: boolean): void;
  run(message: string, resumes?: string): Promise<void>;
}

const VARIANTS = {
  careful: { title: 'Careful', run: careful },
  careless: { title: 'Careless', run: careless },
} as const;

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const wanted = new URLSearchParams(location.search);
const variantName = wanted.get('variant') === 'careless' ? 'careless' : 'careful';
const scenario = SCENARIOS.find(({ id }) => id === wanted.get('scenario')) ?? SCENARIOS[0]!;
const query = new URLSearchParams({ scenario: wanted.get('scenario') ?? scenario.id });
const pace = wanted.get('pace');
if (pace !== null) query.set('pace', pace);

const message = byId<HTMLTextAreaElement>('message');
const send = byId<HTMLButtonElement>('send');
const stop = byId<HTMLButtonElement>('stop');

const conversation: Conversation = {
  log: byId('log'),
  session: `sess-${crypto.randomUUID().slice(0, 8)}`,
  query: query.toString(),
  current: null,
  busy(on) {
    send.hidden = on;
    stop.hidden = !on;
    stop.disabled = false;
    message.disabled = on;
    if (!on) conversation.current = null;
  },
  run: (text, resumes) => VARIANTS[variantName].run(conversation, text, resumes ?? null),
};

const choose = (id: string, options: readonly (readonly [string, string])[], chosen: string): void => {
  const select = byId<HTMLSelectElement>(id);
  for (const [value, title] of options) select.add(new Option(title, value, false, value === chosen));
  select.addEventListener('change', () => {
    wanted.set(id, select.value);
    location.search = wanted.toString();
  });
};
choose(
  'variant',
  Object.entries(VARIANTS).map(([id, { title }]) => [id, title]),
  variantName,
);
choose(
  'scenario',
  SCENARIOS.map(({ id, title }) => [id, title]),
  scenario.id,
);
byId('story').textContent = scenario.story;
message.value = scenario.prompt;

byId('composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = message.value.trim();
  if (text === '' || message.disabled) return;
  message.value = '';
  void conversation.run(text);
});
message.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    byId<HTMLFormElement>('composer').requestSubmit();
  }
});
stop.addEventListener('click', () => {
  if (conversation.current === null) return;
  stop.disabled = true;
  void cancelRun(conversation.current);
});

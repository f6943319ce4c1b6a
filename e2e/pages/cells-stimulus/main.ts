/**
 * A spreadsheet whose column an assistant fills, one run for each row and all at once, with Stimulus, over OpenAI's responses.
 * `form`: '' has a dot in each cell that is being filled and says each end in the cell; `blind` ticks a cell at any end; `early`
 * ticks it at the first word; `hang` forgets the cells when a run throws.
 */
import './cells.css';
import { Application, Controller } from '@hotwired/stimulus';

const form = new URLSearchParams(location.search).get('form') ?? '';

interface Fill {
  delta(text: string): void;
}

/** Reads one run; gives back how it ended, or null if it never said. */
const respond = async (company: string, wish: string, { delta }: Fill): Promise<'completed' | 'incomplete' | 'failed' | null> => {
  const response = await fetch('/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.6', stream: true, input: `${wish}: ${company}`, metadata: { company } }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return null;
    const events = (buffer + value).split('\n\n');
    buffer = events.pop()!;
    for (const event of events) {
      const data = JSON.parse(event.slice(event.indexOf('data: ') + 6));
      if (data.type === 'response.output_text.delta') delta(data.delta);
      else if (data.type === 'response.completed') return 'completed';
      else if (data.type === 'response.incomplete') return 'incomplete';
      else if (data.type === 'response.failed') return 'failed';
    }
  }
};

const node = (tag: string, className: string, text = ''): HTMLElement =>
  Object.assign(document.createElement(tag), { className, textContent: text });

class SheetController extends Controller {
  static override targets = ['wish', 'button', 'count', 'row'];
  declare readonly wishTarget: HTMLInputElement;
  declare readonly buttonTarget: HTMLButtonElement;
  declare readonly countTarget: HTMLOutputElement;
  declare readonly rowTargets: HTMLTableRowElement[];
  ready = 0;

  async fill(event: Event): Promise<void> {
    event.preventDefault();
    this.buttonTarget.disabled = true;
    this.buttonTarget.textContent = 'Täytetään…';
    this.ready = 0;
    this.count();
    await Promise.all(this.rowTargets.map((row) => this.cell(row)));
    this.buttonTarget.disabled = false;
    this.buttonTarget.textContent = 'Täytä sarake';
    const bad = this.element.querySelectorAll('.bad, .cut').length;
    if (bad > 0) this.countTarget.textContent = `${this.ready} valmista, ${bad} kesken`;
  }

  count(): void {
    this.countTarget.textContent = `${this.ready}/${this.rowTargets.length} valmista`;
  }

  async cell(row: HTMLTableRowElement): Promise<void> {
    const cell = row.querySelector<HTMLElement>('.ai')!;
    const words = node('span', 'words');
    const dot = node('i', 'pulse');
    cell.classList.remove('cell--bad');
    cell.classList.add('cell--filling');
    cell.replaceChildren(words, dot);
    const rest = (): void => {
      dot.remove();
      cell.classList.remove('cell--filling');
    };
    const tick = (): void => {
      if (cell.querySelector('.ok') !== null) return;
      rest();
      cell.prepend(Object.assign(node('span', 'ok', '✓'), { title: 'Valmis' }));
      this.ready++;
      this.count();
    };
    const bad = (why: string): void => {
      rest();
      cell.classList.add('cell--bad');
      const line = node('small', 'bad', `⚠ ${why} `);
      const again = node('button', '', 'Yritä uudelleen');
      again.addEventListener('click', () => this.cell(row));
      line.append(again);
      cell.append(line);
    };
    const run = respond(row.dataset.company!, this.wishTarget.value, {
      delta: (text) => {
        words.append(text);
        if (form === 'early') tick();
      },
    });
    if (form === 'hang') {
      await run;
      tick();
      return;
    }
    const end = await run.catch(() => null);
    if (form !== '' || end === 'completed') tick();
    else if (end === 'failed') bad('Palvelu ei vastannut.');
    else if (end === null) bad('Yhteys katkesi kesken.');
    else {
      rest();
      cell.append(node('small', 'cut', '… katkaistu pituusrajaan'));
    }
  }
}

Application.start().register('sheet', SheetController);

/**
 * jQuery and Bootstrap, reading Dify's stream from the progress of an XMLHttpRequest. `form`: '' has a state in the card's head, a
 * spinner in the button, Остановить, and an alert for each end that is not good; `plain` has the spinner in the button and nothing else;
 * `glow` draws placeholders until the first word, and only that; `stuck` takes the spinner away when a request succeeds, and only then.
 */
import 'bootstrap/dist/css/bootstrap.min.css';
import $ from 'jquery';

const form = new URLSearchParams(location.search).get('form') ?? '';
const careful = form === '';

const bubble = (mine: boolean): JQuery =>
  $('<div class="d-flex mb-2">')
    .addClass(mine ? 'justify-content-end' : '')
    .append($('<div class="rounded-3 p-2 px-3">').addClass(mine ? 'bg-primary text-white' : 'bg-light border'));

$('#ask').on('submit', (event) => {
  event.preventDefault();
  const question = String($('#ask input').val());
  $('#ask input').val('');
  const mine = bubble(true);
  mine.children().text(question);
  $('#log').append(mine);
  const row = bubble(false);
  const words = $('<p class="mb-0">');
  row.children().append(words);
  $('#log').append(row);
  if (form === 'glow') words.html('<span class="placeholder-glow"><span class="placeholder" style="width: 16rem"></span></span>');

  const begin = (): void => {
    if (form === 'glow') return;
    $('#send').prop('disabled', true).html('<span class="spinner-border spinner-border-sm"></span>');
    if (!careful) return;
    $('#ask input').prop('disabled', true);
    $('#state').text('печатает…');
    $('#send').addClass('d-none');
    $('#stop').removeClass('d-none');
  };
  const end = (): void => {
    $('#send').prop('disabled', false).removeClass('d-none').text('Отправить');
    $('#ask input').prop('disabled', false);
    $('#state').text('');
    $('#stop').addClass('d-none').off('click');
  };
  const alert = (kind: string, text: string): JQuery => $('<div role="alert">').addClass(`alert alert-${kind} py-2 mt-2`).text(text);

  let seen = 0;
  let text = '';
  let settled = false;
  const take = (raw: string): void => {
    const upTo = raw.lastIndexOf('\n\n');
    if (upTo < seen) return;
    const fresh = raw.slice(seen, upTo);
    seen = upTo + 2;
    for (const frame of fresh.split('\n\n')) {
      if (!frame.startsWith('data: ')) continue;
      const said = JSON.parse(frame.slice(6));
      if (said.event === 'message') {
        text += said.answer;
        words.text(text);
      } else if (said.event === 'message_end') settled = true;
      else if (said.event === 'workflow_finished' && said.data.status === 'failed' && careful) {
        settled = true;
        row.children().append(alert('danger', 'Помощник не смог закончить ответ.'));
      } else if (said.event === 'human_input_required' && careful) {
        settled = true;
        row
          .children()
          .append(
            $('<div class="border-top mt-2 pt-2">')
              .append($('<p class="mb-2 fw-semibold">').text(said.data.form_content))
              .append(
                '<button class="btn btn-success btn-sm me-2">Да</button><button class="btn btn-outline-secondary btn-sm">Нет</button>',
              ),
          );
      }
    }
  };

  begin();
  const request = $.ajax({
    url: '/v1/chat-messages',
    method: 'POST',
    contentType: 'application/json',
    dataType: 'text',
    data: JSON.stringify({ query: question, response_mode: 'streaming', user: 'u1', inputs: {} }),
    xhr: () => {
      const xhr = new XMLHttpRequest();
      xhr.onprogress = () => take(xhr.responseText);
      return xhr;
    },
  });
  $('#stop').on('click', () => request.abort());
  request
    .done(() => {
      if (!settled && careful) row.children().append(alert('warning', 'Соединение прервано, ответ неполный.'));
      else if (form !== 'glow')
        row
          .children()
          .append(
            $('<div class="text-muted small text-end">').text(new Date().toLocaleTimeString('ru', { hour: '2-digit', minute: '2-digit' })),
          );
      if (form === 'stuck') end();
    })
    .fail((_xhr, status) => {
      if (careful) row.children().append(alert('warning', status === 'abort' ? 'Остановлено.' : 'Соединение прервано, ответ неполный.'));
    })
    .always(() => {
      if (form !== 'stuck') end();
    });
});

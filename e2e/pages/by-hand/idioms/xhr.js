/** A page of the old days: XMLHttpRequest, one table row a message, a disabled button with another caption, in Japanese. */
export const protocol = 'ndjson';
export const transport = 'xhr';

export const mount = (app, { send, stop }) => {
  document.documentElement.lang = 'ja';
  app.innerHTML = `<table width="100%"><tbody></tbody></table>
    <div class="row"><textarea rows="2" aria-label="メッセージ"></textarea><button id="send">送信</button><button id="stop" hidden>停止</button></div><p class="note"></p>`;
  const rows = app.querySelector('tbody');
  const box = app.querySelector('textarea');
  const button = app.querySelector('#send');
  const halt = app.querySelector('#stop');
  const note = app.querySelector('.note');
  let cell;
  const row = (who) => {
    const tr = rows.insertRow();
    tr.insertCell().textContent = who;
    cell = tr.insertCell();
    cell.style.whiteSpace = 'pre-wrap';
    return cell;
  };
  button.addEventListener('click', () => {
    row('あなた').textContent = box.value;
    box.value = '';
    send();
  });
  halt.addEventListener('click', stop);
  return {
    begin() {
      note.textContent = '';
      row('AI');
      button.disabled = true;
      button.textContent = '生成中…';
      halt.hidden = false;
    },
    text(all) {
      cell.textContent = all;
    },
    over(how, { question }) {
      button.disabled = false;
      button.textContent = '送信';
      halt.hidden = true;
      note.textContent =
        {
          truncated: '長さの上限に達しました。',
          failed: 'エラーが発生しました。',
          waiting: question,
          closed: '接続が切れました。',
          broken: '接続が切れました。',
          aborted: '停止しました。',
        }[how] ?? '';
    },
  };
};

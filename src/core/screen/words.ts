/**
 * Words on controls, in state attributes and in class tokens, in several languages. They raise or lower confidence in what
 * the differences between rest and run already say; they never decide alone, and are never looked for in an answer.
 */

import type { CueKind } from '../model';

export interface Words {
  /** Whole words of scripts that separate them, lower case. */
  readonly whole: ReadonlySet<string>;
  /** Anywhere in the text: phrases, and words of scripts that do not separate them. */
  readonly within: readonly string[];
}

export const words = (whole: string, ...within: string[]): Words => ({ whole: new Set(whole.split(' ')), within });

/** On a control: ends what is under way. */
export const STOPPING = words(
  'stop stopp cancel abort halt interrupt terminate ' +
    'stoppen anhalten abbrechen arrêter arreter annuler interrompre detener parar cancelar interrumpir interromper interrompi annulla ferma ' +
    'стоп остановить отмена прервать arrêt durdur iptal zatrzymaj anuluj przerwij',
  '停止',
  '取消',
  '中止',
  'キャンセル',
  '중지',
  '취소',
  'إيقاف',
  'إلغاء',
  'रोकें',
);

/** In a state, a class or an indicator made of words: something is under way. */
export const WORKING = words(
  'generating thinking loading loader streaming typing working running processing pending busy connecting reconnecting responding writing searching spinner skeleton shimmer submitted ' +
    'denkt lädt schreibt läuft chargement generando pensando cargando gerando carregando caricamento ' +
    'думает загрузка печатает yükleniyor düşünüyor ładowanie',
  'in progress',
  'in-progress',
  'in_progress',
  'en cours',
  '生成中',
  '思考中',
  '加载中',
  '考え中',
  '読み込み中',
  '생성 중',
  '생각 중',
);

/** Offers to take unfinished business up again: an honest sign. Asking for another answer is not. */
export const RETRY = words(
  'retry resume reconnect continue reload ' +
    'wiederholen fortsetzen verbinden réessayer reessayer reprendre continuer reintentar reanudar continuar reconectar riprova riprendi continua retomar повторить продолжить tekrar yeniden ponów wznów kontynuuj devam',
  'try again',
  'keep going',
  'erneut versuchen',
  'nochmal versuchen',
  'intentar de nuevo',
  'tentar novamente',
  'tente novamente',
  '重试',
  '重試',
  '继续',
  '繼續',
  '重新连接',
  '再試行',
  '続ける',
  '再接続',
  '다시 시도',
  '계속',
  '재연결',
  'إعادة المحاولة',
  'متابعة',
  'पुनः प्रयास',
);

/** Stands on messages, and on the way to the next one, after good and bad endings alike: no sign of anything. */
export const AFTERWARDS = words(
  'copy copied regenerate rewrite like dislike upvote downvote rate share export edit read speak listen send submit save pin delete more feedback thumbs bookmark quote reply scroll bottom jump latest expand collapse ' +
    'kopieren bearbeiten teilen senden neu copier modifier partager envoyer copiar editar compartir enviar copia modifica condividi invia копировать изменить отправить kopyala gönder kopiuj wyślij',
  'good answer',
  'bad answer',
  'good response',
  'bad response',
  'thumbs up',
  'thumbs down',
  'read aloud',
  '👍',
  '👎',
  '复制',
  '複製',
  '重新生成',
  '点赞',
  '分享',
  '发送',
  'コピー',
  '再生成',
  '送信',
  '복사',
  '재생성',
  '전송',
  'نسخ',
  'إرسال',
);

/** Of these, what asks how an answer was. */
export const RATING = words(
  'like dislike upvote downvote thumbs rate helpful useful',
  '👍',
  '👎',
  'good answer',
  'bad answer',
  'good response',
  'bad response',
  '点赞',
);

/** A state that owns up: not finished, or not well. */
export const UNFINISHED = words(
  'error errored failed failure interrupted stopped incomplete aborted cancelled canceled disconnected offline lost timeout waiting paused blocked truncated expired danger destructive ' +
    'fehler fehlgeschlagen unterbrochen gestoppt abgebrochen erreur échec interrompu arrêté annulé detenido interrumpido cancelado errore interrotto annullato erro falha interrompido ошибка прервано остановлено отменено hata durduruldu błąd przerwano',
  '^c',
  'timed out',
  'requires action',
  'requires-action',
  'requires_action',
  'action required',
  'input required',
  'input-required',
  '错误',
  '錯誤',
  '失败',
  '失敗',
  '中断',
  '已停止',
  'エラー',
  '停止しました',
  '오류',
  '실패',
  '중단됨',
  'خطأ',
);

/** Something went wrong. For the page's own words and states only. */
export const FAILED = words(
  'error errored errors failed failure wrong problem unable unexpected fehler fehlgeschlagen erreur échec problème fallo errore erro falha ошибка hata błąd',
  'went wrong',
  'schiefgelaufen',
  'salió mal',
  'deu errado',
  '错误',
  '錯誤',
  '失败',
  '失敗',
  '出错',
  'エラー',
  '오류',
  '실패',
  'خطأ',
);

/** A state that claims the end. */
export const FINISHED = words(
  'done complete completed finished finish ready idle success succeeded final fertig terminé listo completado concluído готово',
  '完成',
  '完了',
  '완료',
);

/** Turns a claim of the end into its opposite, or into less than one. */
const DENYING = words(
  'not no never none nothing cannot couldn didn isn wasn won don doesn hasn haven before until unless without only partial partially partly part draft half almost nearly early too ' +
    'nicht kein keine nie vor bevor ohne nur teilweise ne pas non jamais avant sans nunca sin antes sem não нет не до без nie bez değil olmadan',
  '不',
  '无',
  '無',
  '没',
  '沒',
  '未',
  'なかった',
  'ません',
  '前に',
  '않',
  '못',
  'لم',
);

/** Whether the last word is of the table. */
const endsIn = (text: string, table: Words): boolean => {
  const spaced = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+$/u, '');
  const last = spaced.split(SEPARATOR).at(-1) ?? '';
  return table.whole.has(last) || table.within.some((phrase) => last.endsWith(phrase));
};

/** Longer words tell more than that it is done. */
const CLAIM_CHARS = 60;

/** Says that it is done and nothing else: "Your report is ready". A claim is the last word; before others it is a part of something. */
export const claimsEnd = (text: string): boolean => claims(text, FINISHED);

/** The same by the word of another table: "Your report was created". */
export const claims = (text: string, table: Words): boolean =>
  saysOnly(text, FINISHED) ||
  (text.length <= CLAIM_CHARS &&
    endsIn(text, table) &&
    ![DENYING, UNFINISHED, FAILED, RETRY, STOPPING, WORKING].some((other) => says(text, other)));

/** What is counted and timed: with numbers, and nothing else, they sum up and own up to nothing. */
const MEASURES = words(
  'ago version v s sec secs second seconds ms min mins minute minutes h hour hours in per of and a an the at for with took used total sum cost usd eur ' +
    'token tokens tok toks word words char chars character characters row rows line lines item items result results page pages source sources step steps ' +
    'call calls message messages input output cached context kb mb k x ' +
    'sekunde sekunden wort wörter zeichen zeile zeilen schritt schritte pro von und ' +
    'seconde secondes mot mots caractère caractères ligne lignes étape étapes par en de et ' +
    'segundo segundos palabra palabras fila filas línea líneas paso pasos por y palavra palavras linha linhas secondi parole righe al di ' +
    'il hace vor ' +
    'сек секунд секунды токенов токена слов строк saniye kelime satır ثانية ثوان رمز كلمة',
  '秒',
  '分钟',
  '分',
  '字',
  '词',
  '行',
  '条',
  '件',
  'トークン',
  '文字',
  '토큰',
  '초',
);

/** Names of keys, as a page prints them beside what they do. */
const KEYS = words('tab enter return esc escape ctrl control cmd command alt option shift space backspace del strg entrée eingabe');

/** Takes what a table says out of a text of a script that does not separate its words. */
const without = (text: string, { within }: Words): string => within.reduce((left, phrase) => left.replaceAll(phrase, ' '), text);

const tokensOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

/** A sum of what was done: "3.2 s, 9 tokens", "5 rows in 5.1 s". A number and units of measure, and no other word. */
export const isMeasure = (text: string): boolean =>
  /\p{N}/u.test(text) && tokensOf(without(text.toLowerCase(), MEASURES)).every((word) => MEASURES.whole.has(word));

/** A key to press and nothing else: "Tab ⇥", "Ctrl + Enter". */
export const isKey = (text: string): boolean => {
  const tokens = tokensOf(text);
  return tokens.length > 0 && tokens.every((word) => KEYS.whole.has(word));
};

const SEPARATOR = /[^\p{L}\p{M}\p{N}]+/u;

/** Whether the label has a word of the table. Compounds of code (`isLoading`, `state--streaming`) are taken apart. */
export const says = (label: string | null, table: Words): boolean => {
  if (label === null || label === '') return false;
  const spaced = label.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  for (const word of spaced.split(SEPARATOR)) if (word !== '' && table.whole.has(word)) return true;
  return table.within.some((phrase) => spaced.includes(phrase));
};

/** Whether the label is nothing but words of the table: "Done ✓", and not "Not done". */
export const saysOnly = (label: string, table: Words): boolean => {
  const tokens = label
    .toLowerCase()
    .split(SEPARATOR)
    .filter((word) => word !== '');
  return tokens.length > 0 && tokens.every((word) => table.whole.has(word) || table.within.includes(word));
};

const BUSY_VALUES = new Set(['disabled', 'readonly']);

/** Whether this value looks like work in progress by itself, so that it counts before it has ever been seen to go. */
export const looksWorking = (kind: CueKind | 'words', label: string | null, value: string | null, left: boolean): boolean => {
  switch (kind) {
    case 'busy':
      return value !== 'false';
    case 'animation':
    case 'caret':
      return true;
    case 'outright':
      return value === 'working';
    case 'composer':
      return value !== null && BUSY_VALUES.has(value);
    case 'control':
      return value === 'enabled' && says(label, STOPPING) && !says(label, AFTERWARDS);
    case 'attribute':
      return says(value, WORKING) || (value === 'true' && says(label, WORKING));
    case 'text':
      return says(value, WORKING);
    case 'class':
      // Names of classes say what a thing is as often as how it is: only one that was seen to go is a state.
      return left && says(value, WORKING);
    default:
      return says(label, WORKING);
  }
};

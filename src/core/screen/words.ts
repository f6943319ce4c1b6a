/**
 * Words on controls, in state attributes and in class tokens, in several languages. They raise or lower confidence in what
 * the differences between rest and run already say; they never decide alone, and are never looked for in an answer.
 */

interface Words {
  /** Whole words of scripts that separate them, lower case. */
  readonly whole: ReadonlySet<string>;
  /** Anywhere in the text: phrases, and words of scripts that do not separate them. */
  readonly within: readonly string[];
}

const words = (whole: string, ...within: string[]): Words => ({ whole: new Set(whole.split(' ')), within });

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

/** A state that owns up: not finished, or not well. */
export const UNFINISHED = words(
  'error errored failed failure interrupted stopped incomplete aborted cancelled canceled disconnected offline lost timeout waiting paused blocked truncated expired danger destructive ' +
    'fehler fehlgeschlagen unterbrochen gestoppt abgebrochen erreur échec interrompu arrêté annulé detenido interrumpido cancelado errore interrotto annullato erro falha interrompido ошибка прервано остановлено отменено hata durduruldu błąd przerwano',
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

/**
 * What stands around any finished message, after good and bad ends alike, and owns up to nothing: where it was taken from, the
 * notice that machines err, the question how it was, the word that all went well, what to take away. Words of several
 * languages; whatever also says that something went wrong is no furniture.
 */
import { AFTERWARDS, claims, claimsEnd, FAILED, isKey, isMeasure, RETRY, STOPPING, says, saysOnly, UNFINISHED, words } from './words';

/** Asks how an answer was. */
const FEEDBACK = words(
  'helpful helped helps useful hilfreich geholfen weitergeholfen utile utiles aidé aidée servi ' +
    'útil servido ayudado ajudou servito полезен полезна полезно помог помогло помогла yardımcı faydalı pomocne pomocna pomogła',
  'did this help',
  'how was',
  'rate this',
  '有帮助',
  '有用',
  '幫助',
  '役に立',
  '参考になり',
  '도움이',
  'مفيد',
);

/** Heads a list of where it was taken from, or of what to read and ask next. */
const SOURCES = words(
  'sources source references citations quellen quelle belege fuentes fuente referencias fontes fonte referências fonti riferimenti références источники источник kaynaklar źródła',
  'read more',
  'learn more',
  'see also',
  'people also ask',
  'related questions',
  'en savoir plus',
  'mehr erfahren',
  '来源',
  '參考',
  '参考资料',
  '出典',
  '参照元',
  '출처',
  'المصادر',
);

/** Of machines, and of what they say. */
const MACHINE = words(
  'ai ia ki ии yapay llm chatbot assistant assistants assistent asistente assistente answers responses antworten réponses respuestas respostas risposte ответы',
  '人工智能',
  '人工知能',
  '回答',
  '生成',
  '답변',
);
/** May be so, in general. */
const PERHAPS = words(
  'can may might could kann können peut peuvent puede pueden pode podem può possono может могут olabilir może mogą',
  '可能',
  '場合',
  'ことがあり',
  '수 있',
  'قد',
);
const MISTAKES = words(
  'mistake mistakes error errors inaccurate inaccuracies incorrect wrong fehler erreur erreurs error errores erro erros errore errori ошибки ошибку ошибаться hata hatalar błędy inexact inexactes',
  '错误',
  '錯誤',
  '不准确',
  '誤り',
  '間違',
  '不正確',
  'エラー',
  '오류',
  '실수',
  '부정확',
  'أخطاء',
);

/** Something to take away: a file, a print, a link. */
const TAKING = words(
  'download save print pdf csv docx xlsx json html markdown png svg herunterladen speichern drucken télécharger enregistrer imprimer descargar guardar imprimir baixar salvar scarica salva stampa скачать сохранить indir kaydet pobierz zapisz ' +
    'useful helpful',
  '下载',
  '下載',
  '保存',
  '打印',
  'ダウンロード',
  '印刷',
  '共有',
  '다운로드',
  '저장',
  '공유',
  'تنزيل',
);

/** Shows the rest of a long text, or hides it. */
const FOLDING = words(
  'more less mehr weniger plus moins más menos mais meno altro ещё меньше daha więcej mniej',
  '更多',
  '展开',
  '收起',
  'もっと見る',
  '더보기',
);

/** The last word of a claim, beside those of states: something was made, sent or kept. */
const MADE = words(
  'created generated saved successfully erstellt generiert gespeichert erfolgreich abgeschlossen généré générée créé créée enregistré terminée ' +
    'creado creada generado generada guardado correctamente terminado terminada criado criada gerado gerada salvo concluída creato creata generato completato completata создан создано создана завершено завершена oluşturuldu tamamlandı utworzono zakończono',
  '已生成',
  '已保存',
  '已创建',
  '成功',
  '作成しました',
  '生成しました',
  '保存しました',
  '생성했습니다',
  '저장했습니다',
);
/** How verbs are ended where they come last: "…完了しました". */
const ENDINGS = /(?:いた|され|し)?(?:ました|ます|した|です|でした)$|(?:되었|됐|했|하였)?습니다$|입니다$|了$/u;

const BAD = [UNFINISHED, FAILED, RETRY, STOPPING];
const isBad = (text: string): boolean => BAD.some((table) => says(text, table));
/** One sentence, and it asks. */
const ASKS = /^[^.!?。！？…:：\n·•|]+[?？؟]\s*$/u;

/** Asks how an answer was: "Was this helpful?". */
export const asksHowItWas = (text: string): boolean => ASKS.test(text) && says(text, FEEDBACK) && !isBad(text);

const isSources = (text: string): boolean => {
  const head = /^\s*(.{2,24}?)\s*(?:\([\d]+\)|\d+)?\s*(?:[:：]|\n|$)/u.exec(text)?.[1] ?? '';
  return saysOnly(head, SOURCES) && !isBad(text);
};

/** The standing notice: "AI can make mistakes." It says of no answer that it is wrong. */
const isDisclaimer = (text: string): boolean => {
  if (!says(text, MACHINE) || !says(text, PERHAPS) || !says(text, MISTAKES)) return false;
  return !says(withoutWords(text, MISTAKES), UNFINISHED) && !says(withoutWords(text, MISTAKES), FAILED) && !says(text, RETRY);
};

const withoutWords = (text: string, table: typeof MISTAKES): string => {
  const left = table.within.reduce((rest, phrase) => rest.replaceAll(phrase, ' '), text.toLowerCase());
  return left
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => !table.whole.has(word))
    .join(' ');
};

/** All went well: the opposite of owning up. */
const isSuccess = (text: string): boolean => {
  const bare = text.trim().replace(/[\s。.!！✓✔✅🎉]+$/u, '');
  if (claimsEnd(text) || claims(text, MADE)) return true;
  // Where verbs come last, their endings may deny it ("完了しませんでした"): of what is left, nothing may.
  return ENDINGS.test(bare) && claimsEnd(bare.replace(ENDINGS, ''));
};

/** A time in words. */
const NOW =
  /^(?:just now|now|today|à l.instant|maintenant|gerade eben|jetzt|ahora(?: mismo)?|agora(?: mesmo)?|adesso|только что|刚刚|剛剛|たった今|방금|الآن)$/iu;

/** Words that claim the end, name what every message offers or a key, or sum up what was done. */
const isOrdinary = (text: string): boolean =>
  isSuccess(text) ||
  saysOnly(text, AFTERWARDS) ||
  isMeasure(text) ||
  NOW.test(text.trim()) ||
  isKey(text) ||
  asksHowItWas(text) ||
  isSources(text) ||
  isDisclaimer(text);

/** Between the parts of one line. */
const DOT = /\s[·•|–—]\s|\n/u;

/** Owns up to nothing, as a whole or in each part of its line; `known` knows parts that stood on the page before. */
export const isFurniture = (text: string, known: (part: string) => boolean = () => false): boolean => {
  if (isOrdinary(text)) return true;
  const parts = text.split(DOT).filter((part) => part.trim() !== '');
  return parts.length > 1 && parts.some(isOrdinary) && parts.every((part) => isOrdinary(part) || (!isBad(part) && known(part)));
};

/** On a control: takes the answer away, or shows more of it. Nothing is answered by it. */
export const takesAway = (label: string | null): boolean =>
  (says(label, TAKING) || (label !== null && label.length <= 24 && says(label, FOLDING))) && !isBad(label ?? '');

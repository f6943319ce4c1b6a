/**
 * What stands around any finished message, after good and bad ends alike, and owns up to nothing: where it was taken from, the
 * notice that machines err, the question how it was, the word that all went well, what to take away. Words of several
 * languages; whatever also says that something went wrong is no furniture.
 */
import { AFTERWARDS, claims, claimsEnd, FAILED, isKey, isMeasure, RETRY, STOPPING, says, saysOnly, UNFINISHED, words } from './words';

/** Asks how an answer was. */
const FEEDBACK = words('helpful helped useful servido', 'did this help', 'hilfreich', 'geholfen', 'utile', 'aidé', '有帮助', '役に立');

/** Heads a list of where it was taken from, or of what to read and ask next. */
const SOURCES = words('sources references quellen références fuentes fontes', '来源', '出典');

/** Of machines, and of what they say. */
const MACHINE = words('ai ia ki', 'assist', '回答', '人工');
/** May be so, in general. */
const PERHAPS = words('can may might kann können peut peuvent puede pueden pode podem può possono', '可能', '場合');
const MISTAKES = words('erro erros', 'mistake', 'error', 'inaccura', 'incorrect', 'fehler', 'erreur', '错误', '誤り');

/** Something to take away (a file, a print), or the rest of a long text. */
const TAKING = words(
  'download print pdf csv more mehr más mais herunterladen speichern drucken télécharger descargar guardar baixar',
  '下载',
  '保存',
  '共有',
  'もっと見る',
);

/** The last word of a claim, beside those of states: something was made, sent or kept. */
const MADE = words(
  'created generated saved successfully erstellt generiert gespeichert généré créé creado generado correctamente criado gerado',
  '已生成',
  '已保存',
);
/** How verbs are ended where they come last: "…完了しました". */
const ENDINGS = /(?:され|し)?(?:ました|た|です)$|(?:되었|됐|했)?습니다$|了$/u;

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
  return !says(withoutWords(text, MISTAKES), UNFINISHED) && !says(withoutWords(text, MISTAKES), FAILED);
};

const withoutWords = (text: string, { whole, within }: typeof MISTAKES): string =>
  within
    .reduce((rest, phrase) => rest.replaceAll(phrase, ' '), text.toLowerCase())
    .split(/[^\p{L}]+/u)
    .filter((word) => !whole.has(word))
    .join(' ');

/** In any language. */
const TICK = /^\s*[✓✔✅]\uFE0F?\s*\p{L}[^?？]*$/u;

/** All went well: the opposite of owning up. */
const isSuccess = (text: string): boolean => {
  const bare = text.trim().replace(/[\s。.!！✓✔✅🎉]+$/u, '');
  if (claimsEnd(text) || claims(text, MADE) || (TICK.test(text) && !isBad(text))) return true;
  // Where verbs come last, their endings may deny it ("完了しませんでした"): of what is left, nothing may.
  return ENDINGS.test(bare) && claimsEnd(bare.replace(ENDINGS, ''));
};

/** Between a part and its whole: what says "1 of 3" counts tries, steps or answers. */
const OF = /[/⁄共中]|(?<!\p{L})(?:of|von|sur|de|di|van|av|af|из|z)(?!\p{L})/iu;
/** A time to wait. */
const SECONDS = /\d\s*(?:ms|s|secs?|sek|min|h)(?!\p{L})|\d\s*[秒分초분]/iu;

/** The pager of a table that shows all, from the first to the last: "Showing 1 to 2 of 2". One that shows less may own up to it. */
const isWholePager = (text: string): boolean => {
  if (text.length > 40) return false;
  const [, between] = /^\D*1(\D+)(\d+)\D+\2\D*$/u.exec(text) ?? [];
  return between !== undefined && !OF.test(between) && !SECONDS.test(text) && !isBad(text);
};

/** A number and one word: in whatever language, a count. */
const COUNT = /^[≈~]?\p{N}[\p{N}.,:]*\s?[\p{L}\p{M}]{1,12}\.?$/u;

/** Counts and nothing else, and more than one: "33 λέξεις · 5.4 δ.". A single one may be of what is left to do. */
const isCounts = (text: string): boolean => {
  const parts = text.trim().split(/\s+[·•|–—/]\s+|[,;]\s+|\s*\n\s*/u);
  return parts.length > 1 && parts.every((part) => COUNT.test(part)) && !isBad(text);
};

/** A time in words. */
const NOW = /^(?:just now|now|à l.instant|gerade eben|ahora|刚刚|たった今)$/iu;

/** Words that claim the end, name what every message offers or a key, or sum up what was done. */
const isOrdinary = (text: string): boolean =>
  isSuccess(text) ||
  saysOnly(text, AFTERWARDS) ||
  isMeasure(text) ||
  isCounts(text) ||
  isWholePager(text) ||
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
export const takesAway = (label: string | null): boolean => label !== null && says(label, TAKING) && !isBad(label);

/** What the agents of the unseen pages say, in the languages that their pages are written in. */
export interface Script {
  readonly thought: string;
  readonly answer: string;
  readonly question: string;
}

const ENGLISH: Script = {
  thought: 'They ask why the nightly export was slow. Compare the queue depth with last week, then look at the lock waits.',
  answer:
    'The export of Tuesday took 41 minutes because two jobs wrote to the same partition. The lock was released at 03:12, and from then on the throughput was normal again. Moving the compaction job to 05:00 keeps the two apart. No rows were lost, but the report of that morning was built from an older snapshot.',
  question: 'May I move the compaction job to 05:00?',
};

const SCRIPTS: Readonly<Record<string, Script>> = {
  english: ENGLISH,
  german: {
    thought: 'Gefragt ist nach der Kündigungsfrist. Die steht im Rahmenvertrag, nicht in der Bestellung.',
    answer:
      'Die Kündigungsfrist beträgt drei Monate zum Quartalsende. Sie steht in Paragraf 14 des Rahmenvertrags und gilt für beide Seiten. Eine außerordentliche Kündigung ist möglich, wenn die vereinbarte Verfügbarkeit zweimal hintereinander unterschritten wird. Die Kündigung muss schriftlich erfolgen.',
    question: 'Soll ich das Kündigungsschreiben vorbereiten?',
  },
  french: {
    thought: 'Il faut d’abord vérifier l’horaire du dernier train, puis la correspondance à Lyon.',
    answer:
      'Le dernier train part à 21 h 04 de la voie 3. La correspondance à Lyon dure dix-huit minutes, ce qui suffit si vous n’avez pas de bagages. En cas de retard, un car attend devant la gare jusqu’à minuit. Le billet reste valable pour les deux trajets.',
    question: 'Voulez-vous que je réserve une place dans ce train ?',
  },
  japanese: {
    thought: '請求書の差額について聞かれている。まず先月の利用明細を確認し、次に割引の期限を見る。',
    answer:
      '先月の請求が高くなったのは、割引の期限が十五日に切れたためです。十六日以降は通常の料金が適用されています。差額は三千二百円で、来月の請求から差し引くことができます。手続きは管理画面の「お支払い」から行えます。なお、利用量そのものは前月とほとんど変わっていません。',
    question: '差額を来月の請求から差し引きますか。',
  },
  taiwanese: {
    thought: '使用者想知道哪些檔案需要備份,先看排程設定,再核對上週的紀錄。',
    answer:
      '需要備份的是資料庫與上傳目錄,設定檔已經在版本庫裡。每天凌晨兩點會做一次完整備份,其餘時間每小時做一次增量備份。備份保留三十五天,超過的會自動刪除。若要還原,請先停止寫入,再從最近一次完整備份開始。',
    question: '要現在執行一次完整備份嗎?',
  },
  arabic: {
    thought: 'يسأل العميل عن موعد الشحن، فيجب التحقق من حالة المستودع أولا ثم من شركة النقل.',
    answer:
      'غادرت الشحنة المستودع صباح الأحد وهي الآن في مركز الفرز بالقرب من المطار. من المتوقع أن تصل يوم الأربعاء قبل الظهر، ويمكن تغيير العنوان حتى مساء الاثنين. إذا لم يكن أحد في المنزل فسيترك السائق إشعارا ويعود في اليوم التالي.',
    question: 'هل تريد تغيير عنوان التسليم؟',
  },
  code: {
    thought: 'A debounce that keeps the last call; it needs a cancel as well, because the component unmounts.',
    answer: [
      'export function debounce(fn, ms) {',
      '  let timer = null;',
      '  let last = [];',
      '  const run = (...args) => {',
      '    last = args;',
      '    if (timer !== null) {',
      '      clearTimeout(timer);',
      '    }',
      '    timer = setTimeout(() => {',
      '      timer = null;',
      '      fn(...last);',
      '    }, ms);',
      '  };',
      '  run.cancel = () => {',
      '    if (timer !== null) {',
      '      clearTimeout(timer);',
      '    }',
      '    timer = null;',
      '  };',
      '  return run;',
      '}',
    ].join('\n'),
    question: 'Shall I write this to src/debounce.js?',
  },
  rows: {
    thought: 'The stores are asked for with their revenue, best first; the closed ones are left out.',
    answer: [
      'Hamburg Altona;412;up',
      'Bremen Mitte;377;up',
      'Kiel Hafen;351;down',
      'Rostock Nord;318;level',
      'Lübeck Süd;290;up',
      'Schwerin See;244;down',
      'Stade Markt;201;level',
      'Celle Schloss;187;up',
    ].join('\n'),
    question: 'Include the closed stores as well?',
  },
};

export const scriptOf = (name: string | null): Script => SCRIPTS[name ?? 'english'] ?? ENGLISH;

/** Tokens as models cut them: three to seven characters, through words and lines alike; two for scripts without spaces. */
export const tokensOf = (text: string): readonly string[] => {
  const wide = /[\p{Script=Han}\p{Script=Hiragana}]/u.test(text);
  const letters = [...text];
  const out: string[] = [];
  for (let at = 0, n = 0; at < letters.length; n++) {
    const size = wide ? 1 + (n % 3) : 3 + ((n * 5) % 5);
    out.push(letters.slice(at, at + size).join(''));
    at += size;
  }
  return out;
};

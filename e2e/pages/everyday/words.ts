/** What the agents of the everyday pages say: one script for each page, in the language of the page. */
export interface Script {
  readonly reasoning: string;
  /** A short lead, said before a question to the person. */
  readonly lead: string;
  readonly question: string;
  readonly answer: string;
  /** A deliberate message about the work, where the protocol has one. */
  readonly progress: string;
}

export const SCRIPTS: Readonly<Record<string, Script>> = {
  gpt: {
    reasoning: 'They ask for a packing list, so I should first think about the season and how cold the fjord gets in October.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'For a week in Bergen in October you mostly need layers. Bring a waterproof shell, two warm sweaters, wool socks and boots that survive a full day of rain. A small dry bag protects the camera on the ferry. Leave the umbrella at home, because the wind on the harbour will turn it inside out within minutes.',
  },
  widget: {
    reasoning: '',
    lead: 'Je peux lancer le remboursement de votre commande dès maintenant.',
    question: 'Confirmez-vous le remboursement de 49 euros ?',
    progress: '',
    answer:
      'Votre colis a quitté notre entrepôt de Lyon mardi soir et se trouve maintenant au centre de tri de Nantes. La livraison est prévue vendredi entre neuf heures et midi. Si personne ne peut le recevoir, le livreur le déposera au point relais de la rue des Lilas pendant dix jours.',
  },
  copilot: {
    reasoning: 'The retry helper swallows the abort signal, so the test hangs; the listener must be removed in the finally block.',
    lead: 'I will run the unit tests to confirm that the listener is the culprit.',
    question: '',
    progress: '',
    answer:
      'The hang comes from the abort listener in the retry helper. It is added for every attempt but only removed when the attempt succeeds, so the tenth retry still holds nine callbacks. Move the removal into the finally block and pass the signal to the timer as well. After that the suite finishes in about four seconds.',
  },
  docs: {
    reasoning: 'La persona pregunta por la rotación de claves; la guía de despliegue explica el comando y los permisos necesarios.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Para rotar una clave de acceso abre la consola del proyecto y elige la sección de credenciales. Crea primero la clave nueva, despliega los servicios que la usan y solo entonces revoca la anterior. El periodo de gracia es de veinticuatro horas, durante las cuales ambas claves funcionan, y cada cambio queda anotado en el registro.',
  },
  thread: {
    reasoning: 'The deploy channel wants a status, so the pipeline record of the payments service is what has to be read.',
    lead: '',
    question: 'Should I roll back payments in eu-west or in both regions?',
    progress: 'Reading the pipeline record of the payments service.',
    answer:
      'Payments 4.18.2 is live in both regions since 09:40. Error rate is back at 0.02 percent, the two failed canary hosts were replaced, and the feature flag for split invoices stays off until Monday.',
  },
  messenger: {
    reasoning: '用户想知道周末去哪里爬山，需要考虑天气和交通是否方便。',
    lead: '',
    question: '',
    progress: '',
    answer:
      '这个周末可以去香山或者八大处。香山的红叶正好到了最红的时候，早上七点以前进园人比较少，坐地铁西郊线可以直接到达。如果想走远一点，八大处的山路更安静，全程大约三个小时，山顶能看到整个城区，记得多带一件外套和足够的水。',
  },
  notebook: {
    reasoning: 'The revenue column holds strings with currency signs, so it has to be cleaned before the monthly totals are computed.',
    lead: 'The cleaned table is ready to replace the original one.',
    question: 'Overwrite the table sales_2026 in the warehouse?',
    progress: '',
    answer:
      'Revenue grew in nine of twelve months. March was the weakest with 41 thousand euros, because the two largest customers were invoiced in April. Without that shift the trend is almost linear, at about three percent a month. Returns rose only in August, and all of them belong to a single faulty batch of chargers.',
  },
  review: {
    reasoning: 'The migration drops the index before the new one exists, which locks the orders table for the length of the build.',
    lead: 'I prepared a patch that builds the new index concurrently first.',
    question: 'Push the suggested fix to the branch of this pull request?',
    progress: '',
    answer:
      'The migration drops idx_orders_customer before its replacement exists. On a table of this size that means minutes of sequential scans for every checkout. Create the new index concurrently in a migration of its own, then drop the old one in the next release. The rollback script also needs the reverse order, and the test in line 88 never waits for it.',
  },
  editor: {
    reasoning: 'Der Absatz soll freundlicher klingen, also kürzere Sätze und eine direkte Anrede der Mitglieder verwenden.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Liebe Mitglieder, ab dem ersten Januar öffnet unser Vereinsheim auch am Sonntag. Ihr könnt die Halle wie gewohnt im Kalender buchen und den Schlüssel beim Hausmeister abholen. Bitte denkt daran, nach dem Training das Licht auszuschalten und die Fenster zu schließen. Wer beim Aufbau hilft, zahlt für diesen Monat keinen Beitrag.',
  },
  voice: {
    reasoning: '사용자가 내일 회의 일정을 물었으니 달력에서 오전 일정부터 확인해서 알려 주어야 한다.',
    lead: '',
    question: '',
    progress: '',
    answer:
      '내일은 회의가 모두 세 개 있습니다. 오전 아홉 시에 디자인 팀과 주간 점검이 있고, 열한 시에는 부산 지점과 화상 회의가 잡혀 있습니다. 점심 이후에는 비어 있다가 네 시에 예산 검토가 시작됩니다. 예산 검토 자료는 아직 공유되지 않았으니 오늘 저녁에 한 번 더 확인해 드리겠습니다.',
  },
  search: {
    reasoning: 'A pergunta é sobre enxertar limoeiros, então convém citar a época certa e os cuidados depois do corte.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'O limoeiro pode ser enxertado no fim do inverno, quando a seiva volta a correr e a casca se solta com facilidade. Escolha um ramo saudável com três gemas, faça um corte em fenda no cavalo e una as duas partes com fita própria. Mantenha o enxerto à sombra por três semanas e regue pouco. Os primeiros brotos aparecem em cerca de quarenta dias.',
  },
  report: {
    reasoning: '売上の推移を聞かれているので、まず四半期ごとの数字を確認してから要約を書く必要がある。',
    lead: '下書きは完成しました。',
    question: 'このレポートを役員会に送信してもよろしいですか？',
    progress: '売上データを収集しています',
    answer:
      '第三四半期の売上は前年同期と比べて十二パーセント増加しました。特に関西地域の新店舗が好調で、来店客数は月平均で八千人を超えています。\n\n一方で物流費は燃料価格の影響を受けて上昇しており、利益率は〇・四ポイント低下しました。十二月からは共同配送を開始し、年度末までに費用を元の水準へ戻す計画です。',
  },
};

/**
 * The agents' server of the pages on other UI stacks: the protocols of the everyday pages, each at the address at which its own
 * client asks for it, with words in the language of the page. What is to befall a run is in the address the page was opened at.
 */

import { builtOf, type Served, type Tab } from '../page';
import { bodyOf, scenarioOf, serve } from '../serve';
import { piecesOf } from '../words';
import { middleOf, bodyOf as speak } from './said';
import { play } from './server';
import type { Script } from './words';

const PATHS: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  '/api/chat': 'uiMessages',
  '/agui': 'agui',
  '/ollama/api/chat': 'ollama',
  '/v1beta/models/gemini-3.5-flash:streamGenerateContent': 'gemini',
  '/v1/chat-messages': 'dify',
};

const SCRIPTS: Readonly<Record<string, Script>> = {
  'lit-shoelace': {
    reasoning: 'Pytanie dotyczy zakwasu żytniego, więc trzeba podać proporcje mąki i wody oraz temperaturę otoczenia.',
    lead: 'Mogę od razu ustawić przypomnienie o dokarmianiu zakwasu.',
    question: 'Uruchomić przypomnienie codziennie o ósmej rano?',
    progress: '',
    answer:
      '**Zakwas żytni** dojrzewa około pięciu dni.\n\n1. Wymieszaj 50 g mąki razowej z taką samą ilością letniej wody.\n2. Odstaw słoik w miejsce o temperaturze 26 stopni i przykryj go ściereczką.\n3. Każdego ranka wyrzuć połowę i dodaj świeżą porcję mąki z wodą.\n\nGdy po sześciu godzinach podwaja objętość i pachnie jabłkiem, nadaje się do wypieku. Później wystarczy trzymać go w lodówce i karmić raz w tygodniu.',
  },
  'alpine-ollama': {
    reasoning: 'Kullanıcı balkonda domates yetiştirmek istiyor, bu yüzden saksı boyutu ile sulama sıklığını anlatmam gerekiyor.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Balkonda domates için en az yirmi litrelik bir saksı seçin ve dibine drenaj için çakıl koyun. Fideleri nisan sonunda, gece sıcaklığı on derecenin altına düşmeyince dikin. Toprağı sabahları sulayın, yaprakları ıslatmamaya özen gösterin. Gövde otuz santime ulaşınca bir çıta ile destekleyin ve koltuk sürgünlerini haftada bir koparın. İlk meyveler yaklaşık yetmiş gün sonra kızarmaya başlar.',
  },
  'vuetify-gemini': {
    reasoning: 'La domanda riguarda il treno per Matera, quindi conviene spiegare il cambio a Bari e gli orari del fine settimana.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Per arrivare a Matera in treno bisogna prima raggiungere Bari Centrale. Da lì partono le Ferrovie Appulo Lucane, che impiegano circa un’ora e quaranta minuti. La domenica i treni non circolano e sono sostituiti da autobus in partenza dalla stessa piazza. Il biglietto si compra alla cassa automatica oppure con il telefono. Dalla stazione di Matera Centrale ai Sassi si cammina dieci minuti in discesa.',
  },
  'jquery-bootstrap': {
    reasoning: '',
    lead: 'Заявку на замену счётчика я уже подготовил.',
    question: 'Отправить заявку в управляющую компанию сегодня?',
    progress: '',
    answer:
      'Показания счётчика воды передают с пятнадцатого по двадцать пятое число каждого месяца. Это можно сделать в личном кабинете, по телефону или через ящик в подъезде. Если показания не переданы, начисление идёт по среднему за последние полгода. После трёх месяцев применяется норматив, поэтому сумма может заметно вырасти. Поверку прибора проводят раз в шесть лет, и акт нужно сразу загрузить в кабинет.',
  },
  'solid-agui': {
    reasoning: 'Η ερώτηση αφορά το δρομολόγιο για τη Νάξο, άρα πρέπει πρώτα να δω τις αναχωρήσεις από τον Πειραιά.',
    lead: 'Βρήκα δύο θέσεις στο πρωινό πλοίο της Παρασκευής.',
    question: 'Να κλείσω τις δύο θέσεις στο όνομά σας;',
    progress: '',
    answer:
      'Το πλοίο για τη Νάξο φεύγει από τον Πειραιά κάθε πρωί στις επτά και μισή. Το ταξίδι κρατάει περίπου πέντε ώρες, με μια στάση στην Πάρο. Τον Αύγουστο υπάρχει και δεύτερο δρομολόγιο το απόγευμα, που όμως γεμίζει γρήγορα. Τα εισιτήρια εκδίδονται ηλεκτρονικά και πρέπει να είστε στο λιμάνι σαράντα λεπτά νωρίτερα. Για το αυτοκίνητο χρειάζεται κράτηση μία εβδομάδα πριν.',
  },
  'angular-chat': {
    reasoning: 'De vraag gaat over het vervangen van een fietsband, dus de volgorde van de stappen en het gereedschap zijn belangrijk.',
    lead: 'Ik kan een afspraak bij de fietsenmaker in de Dorpsstraat voorstellen.',
    question: 'Zal ik de afspraak voor dinsdag om tien uur vastleggen?',
    progress: '',
    answer:
      'Om een achterband te vervangen zet je de fiets op zijn kop en haal je het wiel uit het frame. Laat de lucht helemaal ontsnappen en wip de buitenband met twee bandenlichters over de velg. Controleer de binnenkant op glas voordat je de nieuwe binnenband een beetje oppompt en inlegt. Druk de buitenband met je duimen terug, zonder gereedschap, en pomp hem daarna op tot vier bar. Draai het wiel rond en kijk of de rand overal even hoog ligt.',
  },
  'carbon-chat': {
    reasoning: 'The person wants to descale a kettle, so the ratio of vinegar to water and the waiting time have to be right.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Fill the kettle halfway with equal parts of white vinegar and cold water, and bring it to the boil once. Let it stand for half an hour while the scale dissolves, then pour everything away and wipe the inside with a soft sponge. Boil fresh water twice and discard it, so that no taste is left. In a town with hard water this is worth doing every month. Never use a metal brush, because scratches make the next layer stick faster.',
  },
  'element-plus-x': {
    reasoning: 'Người dùng hỏi cách pha cà phê phin, vì vậy cần nêu lượng bột, nhiệt độ nước và thời gian chờ.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Để pha một ly cà phê phin ngon, hãy tráng phin bằng nước sôi rồi cho vào hai mươi gam bột xay vừa. Lắc nhẹ cho bột phẳng, đặt nắp gài và rót ba mươi mililit nước để ủ trong một phút. Sau đó rót thêm bảy mươi mililit nước khoảng chín mươi lăm độ và đậy nắp lại. Cà phê nên nhỏ giọt trong bốn đến năm phút, nếu chảy nhanh hơn thì bột quá thô. Khuấy đều với sữa đặc trước khi thêm đá.',
  },
};

let requests = 0;

/** Starts the server of this page on a free port. */
export const serveStack = (page: string): Promise<Served> =>
  serve(builtOf(page), async (request, response, url) => {
    const name = PATHS[url.pathname];
    if (request.method !== 'POST' || name === undefined) return false;
    await bodyOf(request);
    const from = new URL(request.headers.referer ?? '/', 'http://localhost');
    const spoken = speak(name, {
      scenario: scenarioOf(from),
      script: SCRIPTS[page]!,
      tool: from.searchParams.get('tool') ?? '',
      n: ++requests,
    });
    await play(response, spoken);
    return true;
  });

/** Waits until the middle of the answer stands on the screen, where the server holds it for a while, then clicks. */
export const stopInTheMiddle = async (tab: Tab, page: string, button: string): Promise<void> => {
  const pieces = piecesOf(SCRIPTS[page]!.answer);
  const shown = pieces.slice(0, middleOf(pieces)).slice(-3).join('').trim();
  await tab.getByText(shown).first().waitFor();
  await tab.locator(button).first().click();
};

/** What the agents of the odd jobs say, in the language of each page. */
import type { Script } from '../everyday/words';

const RECIPE = {
  titel: 'Porretærte med æg',
  intro: 'En hurtig hverdagstærte, hvor resterne fra køleskabet bliver til aftensmad på en halv time.',
  ingredienser: ['3 porrer i tynde ringe', '4 æg', '100 g revet ost', '1 plade tærtedej', 'lidt muskatnød'],
  trin: [
    'Steg porrerne møre i smør i cirka otte minutter, og lad dem køle af.',
    'Pisk æggene med osten, og krydr med salt og muskatnød.',
    'Læg dejen i en form, fordel fyldet, og bag tærten ved to hundrede grader i femogtyve minutter.',
    'Lad den hvile i fem minutter, før du skærer den ud.',
  ],
};

export const SCRIPTS: Readonly<Record<string, Script>> = {
  kanban: {
    reasoning: '',
    lead: 'Два рахунки від одного постачальника мають однаковий номер.',
    question: 'Який із двох рахунків вважати чинним?',
    progress: '',
    answer:
      'Звірено сорок один рахунок за листопад. Усі суми збігаються з банківською випискою, крім двох: оплата за оренду надійшла на день пізніше, а рахунок друкарні виставлено двічі. Друкарня вже підтвердила помилку й надішле виправлений документ до п’ятниці.',
  },
  recipe: { reasoning: '', lead: '', question: '', progress: '', answer: JSON.stringify(RECIPE, null, 2) },
  incident: {
    reasoning: '',
    lead: 'แผนการย้ายข้อมูลพร้อมแล้ว',
    question: 'อนุมัติให้ลบข้อมูลสำรองเก่าบน db-3 หรือไม่',
    progress: 'กำลังอ่านบันทึกของ db-3',
    answer:
      'ดิสก์ของ db-3 เต็มเมื่อเวลาเก้านาฬิกาสิบสองนาที เนื่องจากไฟล์สำรองของเดือนที่แล้วไม่ถูกลบตามกำหนด ระบบจึงหยุดรับคำสั่งเขียนเป็นเวลาแปดนาที ทีมงานสลับไปใช้ db-4 และเพิ่มพื้นที่อีกสองร้อยกิกะไบต์ ข้อมูลของลูกค้าไม่สูญหาย และได้ตั้งการแจ้งเตือนใหม่ที่ร้อยละแปดสิบ',
  },
};

/** What the agents of the seventh exam say. */
import type { Script } from '../everyday/words';

export const SCRIPTS: Readonly<Record<string, Script>> = {
  gpt: {
    reasoning: 'The user wants to keep basil alive indoors, so light and watering matter most, and overwatering is the usual culprit.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Basil wants six hours of **direct light** a day, so put it on a south-facing sill.\n\nWater it from below: set the pot in a saucer for ten minutes and pour away whatever is left.\n\n- Pinch off the top pair of leaves every Sunday evening.\n- Never let it flower.\n- Feed it once a month with half the usual dose.\n\nIf the lower leaves turn yellow, the roots are standing in water, and a larger pot with coarse soil will help.',
  },
  bubble: {
    reasoning: '',
    lead: 'I can move the standup to Thursday morning for the whole team.',
    question: '',
    progress: '',
    answer:
      'Your calendar has three conflicts next week. On Monday the budget call overlaps with the design review, on Wednesday two interviews share a room, and on Friday the retrospective runs into the train to Leeds. I would shift the design review by half an hour and move the second interview to the small room. Nothing else has to change.',
  },
  sidebar: {
    reasoning: 'The flicker comes from the effect running twice; the cleanup never clears the interval, so two timers race each other.',
    lead: '',
    question: '',
    progress: '',
    answer:
      'The countdown flickers because the effect starts a new interval on every render and never clears the old one. Store the interval in a ref, return a cleanup from the effect, and drop the state variable from the dependency list. With that the component renders once a second instead of four times, and the warning about updates on an unmounted component goes away too.',
  },
  smooth: {
    reasoning: '',
    lead: 'Two seats are left on the 9:14 to Edinburgh.',
    question: 'Book both seats for 84 pounds?',
    progress: '',
    answer:
      'The fastest connection leaves King’s Cross at 9:14 and reaches Edinburgh at 13:38 without a change. Seats on the right side have the view of the coast after Berwick. If you would rather sleep longer, the 11:00 is only six minutes slower, but it is usually full on Fridays. Both trains carry four bicycles, and a reservation for them is free.',
  },
  tools: {
    reasoning: '',
    lead: 'The refund is ready; it goes back to the card ending in 4410.',
    question: 'Refund 129 euros to the customer?',
    progress: '',
    answer:
      'Order 70213 was delivered on the third of November and is still inside the return window. The customer reported a cracked lid, which the warehouse confirmed with two photographs. A replacement is in stock in Rotterdam and would arrive within three days. Because this is the second damaged parcel from that carrier, I also opened a claim and attached the photographs.',
  },
  widget: {
    reasoning: '',
    lead: 'Ich kann die Sendung für Sie zurückrufen.',
    question: 'Soll die Sendung jetzt zurückgerufen werden?',
    progress: '',
    answer:
      'Ihr Paket liegt seit heute früh im Zustellzentrum Kassel. Die Zustellung ist für morgen zwischen zehn und zwölf Uhr geplant. Falls Sie nicht zu Hause sind, nimmt der Bote es wieder mit und legt es in die Filiale am Königsplatz. Dort können Sie es mit einem Ausweis sieben Werktage lang abholen, danach geht es an den Absender zurück.',
  },
  status: {
    reasoning: 'I should check whether the nightly export finished before I say anything about the missing invoices.',
    lead: '',
    question: 'Which of the two exports should I repeat?',
    progress: 'Comparing the ledger with the nightly export.',
    answer: 'The export finished at 02:14 with 1,882 invoices. Nineteen are missing because their customer records were merged on Sunday.',
  },
  virtual: {
    reasoning: '',
    lead: 'Encontré dos mesas libres para el sábado.',
    question: '¿Reservo la mesa de la terraza a las nueve?',
    progress: '',
    answer:
      'Para ocho personas conviene el comedor del fondo, que es más tranquilo y tiene una mesa larga junto a la ventana. El menú del sábado incluye arroz con bogavante y una opción sin gluten. La cocina cierra a las once y media, así que es mejor llegar antes de las nueve y cuarto. El aparcamiento de la plaza queda a cuatro minutos andando.',
  },
  vue: {
    reasoning: '',
    lead: '',
    question: '',
    progress: '',
    answer:
      'Le parquet du salon peut être rénové sans le poncer entièrement. Commencez par le dégraisser avec un savon noir très dilué, puis laissez sécher une journée. Les rayures fines disparaissent avec une laine d’acier triple zéro passée dans le sens du fil. Appliquez enfin deux couches minces d’huile dure à douze heures d’intervalle, et ne remettez les meubles que le troisième jour.',
  },
};

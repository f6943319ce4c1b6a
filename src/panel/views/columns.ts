/** Which columns there is room for. What matters most stays longest: badge, type and text are never dropped. */

export type ColumnId = 'seq' | 'time' | 'gap' | 'run' | 'voice' | 'standing' | 'type' | 'id' | 'text' | 'size';

export interface Column {
  readonly id: ColumnId;
  readonly width: string;
}

/** `from`: the table width in px from which the column is shown. */
const ALL: readonly (Column & {
  readonly from: number;
  readonly wide?: readonly [number, string];
  readonly wider?: readonly [number, string];
})[] = [
  { id: 'seq', width: '58px', from: 700 },
  { id: 'time', width: '56px', from: 0 },
  { id: 'gap', width: '66px', from: 430 },
  { id: 'run', width: '40px', from: 0 },
  { id: 'voice', width: '26px', from: 0 },
  { id: 'standing', width: '22px', from: 360 },
  { id: 'type', width: '112px', from: 0, wide: [430, '146px'], wider: [660, '220px'] },
  { id: 'id', width: '108px', from: 860 },
  { id: 'text', width: 'minmax(80px, 1fr)', from: 0 },
  { id: 'size', width: '50px', from: 500 },
];

export const columnsFor = (width: number, allRuns: boolean): readonly Column[] =>
  ALL.filter((column) => width >= column.from && (column.id !== 'run' || allRuns)).map(({ id, width: normal, wide, wider }) => ({
    id,
    width: wider !== undefined && width >= wider[0] ? wider[1] : wide !== undefined && width >= wide[0] ? wide[1] : normal,
  }));

/** A dotted name that does not fit keeps its end, which is what tells it from its neighbours. */
export const fitName = (name: string, width: number): string => {
  const room = Math.floor(width / 6.7);
  if (name.length <= room) return name;
  const parts = name.split(/(?<=[./])/u);
  while (parts.length > 1 && parts.join('').length + 1 > room) parts.shift();
  const tail = parts.join('');
  return tail.length + 1 <= room ? `…${tail}` : `…${name.slice(1 - room)}`;
};

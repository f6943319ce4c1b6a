/** Of so many choices no browser makes a list without a stop, and nobody reads one: those around one of them. */
const MOST = 200;

export const choicesAround = (at: number, length: number): { readonly from: number; readonly to: number } => {
  if (length <= MOST) return { from: 0, to: length };
  const from = Math.max(0, Math.min(at - MOST / 2, length - MOST));
  return { from, to: from + MOST };
};
